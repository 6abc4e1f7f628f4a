"""Studies of bots by many games or by exact values: loss of actions, tuning, calibration of levels."""
