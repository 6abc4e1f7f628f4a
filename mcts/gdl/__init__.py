"""Games from rulesheets in the Game Description Language."""
