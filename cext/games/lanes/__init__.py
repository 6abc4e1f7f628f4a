"""Random play of many games side by side: one file for each game. `cext/primitives/lanes.pxd` describes the lanes."""
