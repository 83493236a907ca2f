"""The pictures of a search: frames, films of any part of it, and what is kept to look back."""
