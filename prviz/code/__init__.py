"""What a page shows, as Python that makes it again and checks that it is the same."""
