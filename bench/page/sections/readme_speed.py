"""Two figures for the README."""

from ..format import rate


def markdown(suite):
    playouts = suite.find("playouts/mnk(m=3,n=3,k=3)")
    search = suite.find("search/mnk(m=3,n=3,k=3)")
    return (
        f"On one core of an {suite.machine['processor']}, `mnk(m=3,n=3,k=3)` plays {rate(playouts.rate)} random "
        f"playouts a second and searches {rate(search.rate)} simulations a second."
    )
