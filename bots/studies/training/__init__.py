"""Training of nets: the test of a generation, the card of a net, and the page of a training."""
