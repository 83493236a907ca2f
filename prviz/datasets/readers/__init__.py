"""Readers of files: tables, matrices, sequences and pictures, each reporting what it decided."""
