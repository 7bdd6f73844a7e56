"""A question put together word by word: what neighbouring parts denote together."""
