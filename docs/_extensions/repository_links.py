"""Links of pages to files of the repository that are not pages of the site.

The pages are read on GitHub too, where a link such as `../CHANGELOG.md` leads to that file. On the site, it leads to
the page that includes the file. Other files of the repository are offered for download.
"""

import posixpath
from pathlib import Path

from sphinx import addnodes

ROOT = Path(__file__).resolve().parents[2]
INCLUDED = {
    "README.md": "index",
    "docs/README.md": "index",
    "CHANGELOG.md": "project/changelog",
    "CODE_OF_CONDUCT.md": "project/conduct",
    "CONTRIBUTING.md": "project/contributing",
    "RELEASING.md": "project/releasing",
    "SECURITY.md": "project/security",
}
"""Path in the repository -> page of the site."""


def path_of(node, docname):
    """Return the path in the repository that a link leads to, and the anchor or None."""
    target = node["reftarget"]
    if node.get("refdomain") == "doc":
        return posixpath.normpath(f"docs/{target}.md"), node["reftargetid"]
    path, _, anchor = target.partition("#")
    # Links of an included page are relative to the page itself, which is in the root of the repository.
    folder = "" if docname in INCLUDED.values() else posixpath.dirname(f"docs/{docname}")
    return posixpath.normpath(posixpath.join(folder, path)), anchor or None


def mend(app, doctree):
    """Replace the targets of links that leave the folder of the pages."""
    docname = app.env.docname
    for node in list(doctree.findall(addnodes.pending_xref)):
        if node["reftype"] != "myst" or node["reftarget"].startswith("#"):
            continue
        path, anchor = path_of(node, docname)
        page = INCLUDED.get(path)
        if page is None and path.startswith("docs/") and path.endswith(".md"):
            page = path.removeprefix("docs/").removesuffix(".md")
        if page is not None:
            node["refdomain"], node["reftarget"], node["reftargetid"] = "doc", page, anchor
        elif (ROOT / path).is_file():
            target = posixpath.relpath(path, posixpath.dirname(f"docs/{docname}"))
            download = addnodes.download_reference(
                "",
                "",
                *node.children,
                refdoc=docname,
                reftarget=target,
                reftype="myst",
                refexplicit=True,
                refdomain=None,
            )
            node.replace_self(download)


def setup(app):
    app.connect("doctree-read", mend, priority=100)  # before files for download are collected
    return {"parallel_read_safe": True, "parallel_write_safe": True}
