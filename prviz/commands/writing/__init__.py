"""What commands print and save: an answer in words or JSON, files, and text for any encoding."""
