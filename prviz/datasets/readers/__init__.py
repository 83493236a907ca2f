"""Readers of files: tables, matrices, sequences and pictures. Each reports its decisions."""
