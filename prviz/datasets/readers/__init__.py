"""Readers of files: tables, matrices, sequences and pictures. They report their decisions."""
