"""The output of commands: text or JSON, files, and text for any encoding."""
