"""The Python in README.md runs as it stands there, top to bottom, in one namespace."""

import re
from pathlib import Path

README = Path(__file__).parent.parent / "README.md"
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


def test_python_blocks_of_the_readme_run(tmp_path, monkeypatch):
    text = README.read_text()
    blocks = list(BLOCK.finditer(text))
    assert blocks, "README.md shows no Python"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))  # nothing of the user is read or written
    namespace = {"__name__": "readme"}
    for block in blocks:
        line = text[: block.start(1)].count("\n")
        exec(compile("\n" * line + block[1], str(README), "exec"), namespace)
