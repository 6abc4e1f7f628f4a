"""Workloads, their measurement, and files of results. `playout bench` and the suite in `bench/` share them."""
