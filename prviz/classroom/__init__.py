"""A class that bets together: people, questions, answers, and searches by everyone."""
