"""Descriptors of the benchmark pages: data, controls, presets."""
