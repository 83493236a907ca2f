"""A class of people who bet on searches, and who run searches of their own."""
