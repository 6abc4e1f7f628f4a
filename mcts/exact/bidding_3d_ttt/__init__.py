"""The exact solution of bidding_3d_ttt with few chips."""
