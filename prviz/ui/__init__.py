"""What the pages are made of; only what is here and in ``pages`` knows Streamlit."""

from pathlib import Path

#: The script that every session runs.
MAIN = Path(__file__).with_name("main.py")
