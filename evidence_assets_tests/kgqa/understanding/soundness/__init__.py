"""Questions whose words a hasty reader takes for what they are not."""
