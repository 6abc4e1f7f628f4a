"""Docstrings and signatures of the packages in the form that Sphinx reads.

- A block `{entries} MODULE` of a page has one name in each line, and options of its entry after the name. It becomes a
  summary and the entries of these names. Without MODULE, names are full names.
- Docstrings have Google's sections and mark code with single backticks, as Markdown does. Here a name in backticks
  becomes a link where the reference has an entry for it, and any other text in backticks becomes literal.
- Signatures of compiled classes and functions get their types from the stubs beside their sources.
"""

import ast
import copy
import importlib
import inspect
import re
from functools import cache
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.ext.napoleon import Config, GoogleDocstring
from sphinx.transforms.post_transforms import SphinxPostTransform

ROOT = Path(__file__).resolve().parents[2]
PUBLIC = {"cext.game.actions.Action": "mcts.Action"}
"""Names of the reference for aliases of types, which do not know their names."""
BACKTICKS = re.compile(r"(?<!`)`([^`]+)`(?!`)")
ENTRIES = re.compile(r"^```\{entries\} ?(.*)\n((?:.+\n)+?)```$", re.MULTILINE)
SECTIONS = Config(napoleon_numpy_docstring=False)
NAME = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*")


class Docstring(GoogleDocstring):
    """A docstring whose section `Returns` has no type, since annotations have it: a colon there is part of the text."""

    def _consume_returns_section(self, preprocess_types=False):
        lines = self._dedent(self._consume_to_next_section())
        return [("", "", lines)] if lines else []


def written_out(found):
    """Return a block `{entries}` as reStructuredText."""
    module, lines = found[1], found[2].splitlines()
    summary, entries = [], []
    for line in lines:
        name, _, options = line.partition(" ")
        path, _, last = (f"{module}.{name}" if module else name).rpartition(".")
        thing = getattr(importlib.import_module(path), last)
        kind = "function" if not inspect.isclass(thing) else "exception" if issubclass(thing, Exception) else "class"
        summary.append(f"   {name if module else f'~{name}'}")
        entries += [f".. auto{kind}:: {name}", *([f"   {options}"] if options else [])]
    head = [f".. currentmodule:: {module or None}", "", ".. autosummary::", "   :nosignatures:", ""]
    return "\n".join(["```{eval-rst}", *head, *summary, "", *entries, "```"])


def write_out(app, page, source):
    """Replace the blocks `{entries}` of a page."""
    source[0] = ENTRIES.sub(written_out, source[0])


def mark_code(text):
    """Make texts in single backticks literal, except names, which the default role of reStructuredText links."""
    return BACKTICKS.sub(lambda found: found[0] if NAME.fullmatch(found[1]) else f"``{found[1]}``", text)


def process_docstring(app, kind, name, thing, options, lines):
    """Mark code, and convert sections."""
    # Sphinx's own listener would take the words before a colon in the docstring of an attribute for its type.
    kind = "function" if kind in ("attribute", "data", "property") else kind
    lines[:] = Docstring(mark_code("\n".join(lines)), SECTIONS, app, kind, name, thing, options).lines()


class FullNames(ast.NodeTransformer):
    """Replaces imported names in a stub by their full names, which links need."""

    def __init__(self, module, body):
        self.names = {}
        for node in body:
            if isinstance(node, ast.Import):
                self.names |= {alias.asname or alias.name: alias.name for alias in node.names}
            if isinstance(node, ast.ImportFrom):
                package = module.split(".")[: -node.level] if node.level else []
                source = ".".join([*package, *([node.module] if node.module else [])])
                self.names |= {alias.asname or alias.name: f"{source}.{alias.name}" for alias in node.names}
        self.names |= {short: PUBLIC[full] for short, full in self.names.items() if full in PUBLIC}

    def visit_Name(self, node):
        """Return a name with its package."""
        return ast.parse(self.names.get(node.id, node.id), mode="eval").body


@cache
def stub(module):
    """Return qualified name -> definitions in the stub of a module; empty without a stub."""
    path = (ROOT / module.replace(".", "/")).with_suffix(".pyi")
    if not path.exists():
        return {}
    found = {}

    def collect(body, prefix):
        for node in body:
            if isinstance(node, ast.FunctionDef):
                found.setdefault(prefix + node.name, []).append(node)
            if isinstance(node, ast.ClassDef):
                collect(node.body, f"{prefix}{node.name}.")

    tree = ast.parse(path.read_text())
    collect(FullNames(module, tree.body).visit(tree).body, "")
    return found


def definition_of(thing):
    """Return the definition of a compiled function, method or property in its stub, or None."""
    owner = getattr(thing, "__objclass__", None)
    module = getattr(owner or thing, "__module__", None) or ""
    name = f"{owner.__qualname__}.{thing.__name__}" if owner else getattr(thing, "__qualname__", "")
    definitions = stub(module).get(name, [])
    return definitions[0] if len(definitions) == 1 else None


def process_signature(app, kind, name, thing, options, arguments, returned):
    """Return the signature of a stub; none for a class that only functions make."""
    if kind in ("class", "exception") and name in app.config.api_made_by_functions:
        return "", ""
    definition = definition_of(thing)
    if definition is None or kind in ("attribute", "property"):
        return None
    result = ast.unparse(definition.returns) if definition.returns else None
    given = copy.deepcopy(definition.args)
    first = given.posonlyargs or given.args
    if first and first[0].arg in ("self", "cls"):
        del first[0]
    return f"({ast.unparse(given)})", result


def show_type(app, domain, kind, content):
    """Append the type of a property of a compiled class, which Sphinx cannot know, to its name."""
    signature = content.parent[0]
    if domain != "py" or kind not in ("attribute", "property") or signature.next_node(addnodes.desc_annotation):
        return
    owner, _, name = signature["fullname"].rpartition(".")
    thing = getattr(getattr(importlib.import_module(signature["module"]), owner, None), name, None)
    definition = definition_of(thing)
    if definition is not None and definition.returns is not None:
        text = f": {ast.unparse(definition.returns)}"
        signature += addnodes.desc_annotation(text, text)


def drop_empty_bases(app, domain, kind, content):
    """Remove the line of base classes where `process_bases` has left none."""
    if kind in ("class", "exception") and content.children and content[0].astext().strip() == "Bases:":
        del content[0]


def process_bases(app, name, thing, options, bases):
    """Leave out base classes that users do not meet."""
    bases[:] = [base for base in bases if getattr(base, "__name__", "") not in app.config.api_hidden_bases]


def resolve_quietly(app, environment, node, content):
    """Leave a name in backticks as code if the reference has no entry for it."""
    return content if node.get("reftype") == "obj" else None


class LinkedNames(SphinxPostTransform):
    """Links from names such as `mcts.MCTS.run` in the text of pages to their entries in the reference."""

    default_priority = 5

    def run(self, **options):
        domain = self.env.domains.python_domain
        for node in list(self.document.findall(nodes.literal)):
            name = re.sub(r"\(.*\)$", "", node.astext())
            if not NAME.fullmatch(name) or "." not in name or name not in domain.objects:
                continue
            if any(
                isinstance(above, nodes.reference | nodes.title | addnodes.pending_xref) for above in ancestors(node)
            ):
                continue
            entry = domain.objects[name]
            uri = self.app.builder.get_relative_uri(self.env.docname, entry.docname) + f"#{entry.node_id}"
            if entry.docname == self.env.docname:
                uri = f"#{entry.node_id}"
            link = nodes.reference("", "", internal=True, refuri=uri, reftitle=name)
            node.replace_self(link)
            link += node


def ancestors(node):
    """Yield the nodes around a node."""
    while node.parent is not None:
        node = node.parent
        yield node


def setup(app):
    app.add_config_value("api_made_by_functions", set(), "env")
    app.add_config_value("api_hidden_bases", set(), "env")
    app.connect("source-read", write_out)
    app.connect("autodoc-process-docstring", process_docstring)
    app.connect("autodoc-process-signature", process_signature)
    app.connect("object-description-transform", show_type)
    app.connect("object-description-transform", drop_empty_bases)
    app.connect("autodoc-process-bases", process_bases)
    app.connect("missing-reference", resolve_quietly)
    app.add_post_transform(LinkedNames)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
