"""Output of a notebook's cell as one text per stream, as it was printed.

A kernel sends output in pieces that may end within a line. The merging of streams by myst-nb ends each piece with a
newline, so that the pages would depend on the speed of the machine. This function replaces it.
"""

from myst_nb.core import render


def join_streams(outputs):
    """Return the outputs of a cell with all pieces of a stream in place of the first one."""
    joined, streams = [], {}
    for output in outputs:
        if output["output_type"] != "stream":
            joined.append(output)
        elif output["name"] in streams:
            streams[output["name"]]["text"] += output["text"]
        else:
            streams[output["name"]] = output.copy()
            joined.append(streams[output["name"]])
    return joined


def setup(app):
    render.coalesce_streams = join_streams
    return {"parallel_read_safe": True, "parallel_write_safe": True}
