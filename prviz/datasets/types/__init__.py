"""Types of data sets, each checked where it is made."""
