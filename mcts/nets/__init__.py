"""Value nets: files, evaluation and training."""
