"""Routes of a class: phones, the projector and the lecturer's notes."""
