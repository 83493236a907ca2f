"""Parts of the app's pages; only these, ``pages`` and ``app.py`` use Streamlit."""

from pathlib import Path

#: The script that every session runs.
MAIN = Path(__file__).with_name("main.py")
