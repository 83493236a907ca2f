"""What the pages are made of; only what is here and in ``pages`` knows Streamlit."""

from pathlib import Path

#: The project's folder, with ``pages`` and ``assets``.
ROOT = Path(__file__).parents[2]
