"""What only UCRET's and UCRET-JS's arms as printed use."""
