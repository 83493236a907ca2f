"""What is particular to a benchmark: its data, its controls, its presets."""
