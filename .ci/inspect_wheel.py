"""Checks a wheel and prints the sizes of its modules: python .ci/inspect_wheel.py WHEEL

The wheel must be small and hold no generated C, no tests and no bytecode; its tags must agree; and each compiled module
must be stripped, export its initialisation only, need no library but the C library, and name no folder of the machine
that built it. Needs `readelf` (binutils). The exit status is 1 if a check fails.
"""

import re
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

MOST_BYTES = 12_000_000
WRONG_ENDINGS = (".c", ".cpp", ".o", ".pyc", ".html.orig", ".gz")
WRONG_FOLDERS = ("tests", "bench", "build", "docs", "examples")
LIBRARIES = re.compile(r"(libc|libm|libpthread|libatomic|ld-linux[\w-]*|ld-musl-[\w-]*|libc\.musl-[\w-]*)\.so(\.\d+)?")
EXPORTS = re.compile(r"PyInit_\w+|__[Pp]yx_\w+|_init|_fini")
BUILD_PATHS = re.compile(rb"/(?:home|root|tmp|build|work|project|private)/[\w./-]+\.(?:c|h|pyx|pxd|py)\b")


def problems_of(wheel):
    """Return a list of sentences, empty if the wheel is good, and the rows of the table of modules."""
    found, rows = [], []
    if wheel.stat().st_size > MOST_BYTES:
        found.append(f"it has {wheel.stat().st_size:,} bytes; valid: up to {MOST_BYTES:,}")
    with zipfile.ZipFile(wheel) as archive, tempfile.TemporaryDirectory() as folder:
        names = archive.namelist()
        found += [f"it contains {name}" for name in names if is_wrong(name)]
        found += tag_problems(wheel, archive)
        for name in names:
            if name.endswith((".so", ".pyd", ".dylib")):
                path = Path(archive.extract(name, folder))
                row, wrong = inspect_module(path, archive.getinfo(name).compress_size)
                rows.append((name, *row))
                found += [f"{name}: {each}" for each in wrong]
    if not rows:
        found.append("it contains no compiled module")
    return found, rows


def is_wrong(name):
    return name.endswith(WRONG_ENDINGS) or name.partition("/")[0] in WRONG_FOLDERS


def tag_problems(wheel, archive):
    """Compare the tags in the file name with those in the file WHEEL."""
    _, _, *tags = wheel.stem.split("-")
    (metadata,) = (name for name in archive.namelist() if name.endswith(".dist-info/WHEEL"))
    text = archive.read(metadata).decode()
    stated = re.findall(r"^Tag: (.+)$", text, re.MULTILINE)
    expected = [f"{tags[-3]}-{tags[-2]}-{platform}" for platform in tags[-1].split(".")]
    found = [] if sorted(stated) == sorted(expected) else [f"its tags are {stated}; its name says {expected}"]
    if "Root-Is-Purelib: false" not in text:
        found.append("it is marked as free of compiled modules")
    return found


def inspect_module(path, compressed):
    """Return (bytes, compressed bytes, newest versions of symbols of the C library), and the problems of a module."""
    if path.suffix != ".so" or path.read_bytes()[:4] != b"\x7fELF":
        return (path.stat().st_size, compressed, ""), []
    text = subprocess.run(
        ["readelf", "--wide", "--dynamic", "--dyn-syms", "--sections", "--program-headers", str(path)],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    found = [
        f"needs the library {library}"
        for library in re.findall(r"\(NEEDED\).*\[(.+)\]", text)
        if not LIBRARIES.fullmatch(library)
    ]
    symbols = re.findall(r"^ +\d+: +[0-9a-f]+ +\S+ +(\w+) +(\w+) +\w+ +(\w+) +(\S+)", text, re.MULTILINE)
    exports = [name for kind, bind, at, name in symbols if at != "UND" and bind != "LOCAL"]
    found += [f"exports {name}" for name in exports if not EXPORTS.fullmatch(name.partition("@")[0])]
    if not any(name.startswith("PyInit_") for name in exports):
        found.append("exports no PyInit function")
    if re.search(r"\] \.(debug_\w+|symtab) ", text):
        found.append("is not stripped")
    if "(TEXTREL)" in text or re.search(r"GNU_STACK .* RWE ", text):
        found.append("has writable code or an executable stack")
    found += [f"names the file {path.decode()}" for path in sorted(set(BUILD_PATHS.findall(path.read_bytes())))]
    versions = {tuple(map(int, text.split("."))) for text in re.findall(r"@GLIBC_([\d.]+)", text)}
    glibc = ".".join(map(str, max(versions))) if versions else ""
    return (path.stat().st_size, compressed, glibc), found


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    wheel = Path(sys.argv[1])
    found, rows = problems_of(wheel)
    width = max((len(row[0]) for row in rows), default=0)
    print(f"{'module':{width}} {'bytes':>10} {'in wheel':>10}  glibc")
    for name, size, compressed, glibc in sorted(rows, key=lambda row: -row[1]):
        print(f"{name:{width}} {size:>10,} {compressed:>10,}  {glibc}")
    total, packed = (sum(row[i] for row in rows) for i in (1, 2))
    print(f"{f'{len(rows)} modules':{width}} {total:>10,} {packed:>10,}")
    print(f"{wheel.name}: {wheel.stat().st_size:,} bytes")
    if found:
        sys.exit("\n".join(f"{wheel.name}: {each}" for each in found))


if __name__ == "__main__":
    main()
