"""Widgets of the pages."""
