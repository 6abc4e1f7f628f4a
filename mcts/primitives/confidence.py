"""The probability of all intervals of the project, and the width that it gives to those of a normal distribution."""

CONFIDENCE = 0.95
"""Probability that an interval contains the true value."""
CONFIDENCE_95 = 1.959963984540054
"""Half the width of such an interval in standard errors: the normal distribution's quantile of 0.975."""
