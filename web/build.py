"""Build the wheel for browsers: `playout-*-cp314-cp314-pyemscripten_2026_0_wasm32.whl`, for Pyodide 314.

    python web/build.py WHEEL FOLDER
    python web/build.py --compiler

WHEEL is the wheel of this machine, from which come all files but the compiled modules. These are the same ones; their C
files lie beside the files of Cython in `cext`, where the build of WHEEL has left them. FOLDER gets the object files,
the new wheel, and `playout-games`, the npm package. Its Pyodide has what the modules use and nothing else.

The compiler, Debian's emscripten, is in a root folder of Debian's unstable distribution, which `mmdebstrap` makes once
in the user's cache folder (about 1 GB). To make it and to use it, the program must run as root. Pyodide is installed
from npm into FOLDER. With --compiler, only the compiler is made ready.
"""

from __future__ import annotations

import argparse
import base64
import concurrent.futures
import fcntl
import gzip
import hashlib
import importlib.metadata
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

ROOT = Path(__file__).parent.parent
PYODIDE = "314.0.7"
TAG = "cp314-cp314-pyemscripten_2026_0_wasm32"
SUFFIX = ".cpython-314-wasm32-emscripten.so"
PACKAGES = "emscripten,python3.14-dev,ca-certificates"
START, GLUE, CORE = "pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm"
LOCK = "pyodide-lock.json"
UNUSED = re.compile(
    r"(bots/(arena|benchmark|commands|ggp|new_package|studies|web/(page|tournaments))|mcts/(adapters|learning|reference)"
    r"|.*\.dist-info/RECORD|__phello__|_pyrepl|ctypes|curses|dbm|ensurepip|http|idlelib|lib2to3|multiprocessing"
    r"|pydoc_data|sqlite3|sysconfig|test|tkinter|tomllib|turtledemo|unittest|venv|wsgiref|xml|xmlrpc|zoneinfo)(/|$)"
    r"|bots/web/(api/arena|application|process|run|watching)|.*/__main__|asyncio/(proactor|tools|windows)"
    r"|email/(?!__init__)|html/parser|json/tool|logging/(config|han)|urllib/(request|res|rob)"
    r"|(argparse|antigravity|bdb|cmd|code|colorsys|compileall|configparser|cProfile|csv|doctest|filecmp|fileinput"
    r"|fractions|ftplib|getopt|getpass|gettext|graphlib|gzip|imaplib|mailbox|mimetypes|modulefinder|netrc|nturl2path"
    r"|optparse|pdb|pickletools|plistlib|poplib|profile|pstats|pty|py_compile|pyclbr|pydoc|rlcompleter|runpy|sched|shelve|smtplib"
    r"|socketserver|sre_\w+|ssl|_ssl|statistics|stringprep|symtable|tabnanny|tarfile|this|timeit|trace|tracemalloc|tty"
    r"|turtle|uuid|wave|webbrowser|zipapp|_markupbase|_pydatetime|_pydecimal|_pyio|_sysconfigdata.*)\.py"
    r"|encodings/(big5|cp(?!437)|euc|gb|hp|hz|iso|johab|idna|koi8|kz|mac|palmos|ptcp|shift|tis)|.*\.(pyx|pxd|pyi|h|tmpl)$"
)
"""Modules of Playout and of the standard library that the npm package leaves out."""
OF_THE_PAGE = ("markdown-it-py", "mdurl")
"""Distributions, installed beside this program, whose modules the page of a static site uses."""
FLAGS = (
    *("-O2", "-DNDEBUG", "-w", "-fPIC", "-fwasm-exceptions", "-sSUPPORT_LONGJMP=wasm", "-msimd128"),
    *("-ffp-contract=off", "-fno-math-errno", "-sSIDE_MODULE=2", "-sWASM_BIGINT"),
)
CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "playout" / "wasm"
FEATURES = (
    *("bulk-memory", "nontrapping-float-to-int", "sign-ext", "simd", "exception-handling", "mutable-globals"),
    *("multivalue", "reference-types", "extended-const"),
)
"""Parts of WebAssembly in CORE."""
NAMES = """
const [core, ...modules] = process.argv.slice(1).map((path) => new WebAssembly.Module(fs.readFileSync(path)));
console.log(JSON.stringify([WebAssembly.Module.exports(core), ...modules.map(WebAssembly.Module.imports)]));
"""
"""A program of node that prints the exports of a file of WebAssembly, and the imports of others."""
_VARIANTS = re.compile(r"cext/x86_64_v\d/")
_CONFIG = re.compile(r"(HAVE|SIZEOF|ALIGNOF|WITH|MAJOR|PY|Py|RETSIGTYPE|STDC|DOUBLE|ENABLE|POSIX|USE)_?\w*")


def main() -> None:
    """Build the wheel, and print its path."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wheel", type=Path, nargs="?")
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--compiler", action="store_true", help="only make the compiler ready")
    given = parser.parse_args()
    if not given.compiler and given.folder is None:
        parser.error("WHEEL and FOLDER are missing")
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / "lock").open("w") as lock:  # builds of several clones share the root folder
        fcntl.flock(lock, fcntl.LOCK_EX)
        build(given)


def build(given: argparse.Namespace) -> None:
    """Build what the command line asks for."""
    system = compiler_root()
    if given.compiler:
        return
    given.folder.mkdir(parents=True, exist_ok=True)
    pyodide = install_pyodide(given.folder)
    work = system / "work"
    headers(system, pyodide, work / "include")
    with zipfile.ZipFile(given.wheel) as native:
        names = [name for name in native.namelist() if name.endswith((".so", ".pyd")) and not _VARIANTS.match(name)]
    sources = [ROOT / f"{name.partition('.')[0]}.c" for name in names]
    missing = [path for path in sources if not path.exists()]
    if missing:
        sys.exit(f"{missing[0]} is missing; build the wheel of this machine first")
    copy_sources(work / "cext")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        largest_first = sorted(sources, key=lambda path: -path.stat().st_size)
        modules = dict(pool.map(lambda path: compiled(system, path.relative_to(ROOT), given.folder), largest_first))
    wheel = pack(given.wheel, given.folder, modules)
    assemble(system, wheel, pyodide, list(modules.values()), given.folder / "playout-games")
    print(wheel)


def compiler_root() -> Path:
    """Return the root folder with the compiler, and make it if it is not there."""
    system = CACHE / "root"
    if not (system / "usr/bin/emcc").exists():
        if shutil.which("mmdebstrap") is None:
            sys.exit("mmdebstrap is missing; apt-get install mmdebstrap")
        part = CACHE / "root.part"
        shutil.rmtree(part, ignore_errors=True)
        options = ['Apt::Install-Recommends "false"', 'Acquire::Check-Valid-Until "false"']
        command = ["mmdebstrap", "--variant=apt", f"--include={PACKAGES}", *(f"--aptopt={one}" for one in options)]
        subprocess.run([*command, "sid", str(part), mirror()], check=True)
        shutil.rmtree(system, ignore_errors=True)
        part.rename(system)
    return system


def mirror() -> str:
    """Return the first mirror of the machine's own sources of packages."""
    folder = Path("/etc/apt")
    for path in [*sorted(folder.glob("sources.list.d/*.sources")), *sorted(folder.glob("**/*.list"))]:
        for line in path.read_text(encoding="utf-8").splitlines():
            found = re.match(r"(?:URIs:|deb(?: \[[^]]*\])?)\s+(https?://\S+)", line)
            if found:
                return found[1]
    sys.exit("no mirror of Debian is set in /etc/apt")


def install_pyodide(folder: Path) -> Path:
    """Return the folder of the npm package pyodide."""
    package = folder / "node_modules" / "pyodide"
    if not (package / "package.json").exists() or f'"{PYODIDE}"' not in (package / "package.json").read_text():
        subprocess.run(
            ["npm", "install", "--prefix", str(folder), "--no-audit", "--no-fund", f"pyodide@{PYODIDE}"],
            check=True,
            stdout=sys.stderr,
        )
    return package


def headers(system: Path, pyodide: Path, target: Path) -> None:
    """Copy the headers of CPython, with the configuration of Pyodide's."""
    shutil.copytree(system / "usr/include/python3.14", target, dirs_exist_ok=True)
    with zipfile.ZipFile(pyodide / "python_stdlib.zip") as library:
        name = next(name for name in library.namelist() if name.startswith("_sysconfigdata_") and name.endswith(".py"))
        values: dict[str, dict[str, object]] = {}
        exec(library.read(name), values)
    lines = ["#ifndef Py_PYCONFIG_H", "#define Py_PYCONFIG_H"]
    for key, value in sorted(values["build_time_vars"].items()):
        if _CONFIG.fullmatch(key) and isinstance(value, int) and value:
            lines.append(f"#define {key} {value}")
    text = "\n".join([*lines, "#define _GNU_SOURCE 1", "#endif", ""])
    if not (target / "pyconfig.h").exists() or (target / "pyconfig.h").read_text() != text:
        (target / "pyconfig.h").write_text(text)


def copy_sources(target: Path) -> None:
    """Copy all files that the compiler may read, if they have changed."""
    for path in (ROOT / "cext").rglob("*"):
        if path.suffix in (".c", ".h"):
            copy = target / path.relative_to(ROOT / "cext")
            copy.parent.mkdir(parents=True, exist_ok=True)
            content = path.read_bytes()
            if not copy.exists() or copy.read_bytes() != content:
                copy.write_bytes(content)


def compiled(system: Path, source: Path, folder: Path) -> tuple[str, Path]:
    """Return the path of a module in the wheel and its file. It is compiled if a file that it may read has changed."""
    module = folder / "modules" / source.with_suffix(SUFFIX)
    stamp = module.with_suffix(".stamp")
    digest = hashlib.sha256(repr(FLAGS).encode() + (ROOT / source).read_bytes())
    for header in sorted((ROOT / "cext").rglob("*.h")):
        digest.update(header.read_bytes())
    if not module.exists() or not stamp.exists() or stamp.read_text() != digest.hexdigest():
        made = Path("work") / source.with_suffix(SUFFIX)
        command = ["emcc", *FLAGS, f"-sEXPORTED_FUNCTIONS=_PyInit_{source.stem}", "-I", "include", "-I", "cext"]
        command += ["-o", f"/{made}", str(source)]
        script = f"cd /work && EM_CACHE=/work/emcache exec {' '.join(command)}"
        done = subprocess.run(["chroot", str(system), "sh", "-c", script], capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"{source}: {done.stderr[-2000:]}")
        module.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(system / made, module)
        stamp.write_text(digest.hexdigest())
    return str(source.with_suffix(SUFFIX)), module


def pack(native: Path, folder: Path, modules: dict[str, Path]) -> Path:
    """Write the wheel: the files of the native one without its compiled modules, and those for WebAssembly."""
    name, version = native.name.split("-")[:2]
    target = folder / f"{name}-{version}-{TAG}.whl"
    records = []
    with zipfile.ZipFile(native) as given, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as out:

        def add(path: str, content: bytes) -> None:
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            records.append(f"{path},sha256={digest},{len(content)}")
            out.writestr(zipfile.ZipInfo(path), content, zipfile.ZIP_DEFLATED)

        for path in given.namelist():
            if path.endswith((".so", "/RECORD")) or _VARIANTS.match(path):
                continue
            content = given.read(path)
            if path.endswith(".dist-info/WHEEL"):
                content = re.sub(rb"(?m)^Tag: .*\n", b"", content).rstrip() + f"\nTag: {TAG}\n".encode()
            add(path, content)
        for path, module in sorted(modules.items()):
            add(path, module.read_bytes())
        record = f"{name}-{version}.dist-info/RECORD"
        out.writestr(zipfile.ZipInfo(record), "\n".join([*records, f"{record},,", ""]), zipfile.ZIP_DEFLATED)
    return target


def assemble(system: Path, wheel: Path, pyodide: Path, modules: list[Path], folder: Path) -> None:
    """Fill the folder of the npm package. Its Python modules are bytecode, which is loaded in half the time."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "web" / "package", folder)
    for path in (ROOT / "bots/page/js/controls/clicks.js", ROOT / "LICENSE"):
        shutil.copyfile(path, folder / path.name)
    trim(system, pyodide, modules, folder)
    lock = json.loads((pyodide / LOCK).read_text(encoding="utf-8"))
    (folder / LOCK).write_text(json.dumps({**lock, "packages": {}}), encoding="utf-8")
    more = {str(path): Path(path.locate()) for name in OF_THE_PAGE for path in importlib.metadata.files(name) or ()}
    more = {path: file for path, file in more.items() if file.suffix == ".py" or file.name.startswith("LICENSE")}
    files = with_bytecode(system, wheel, more)
    sizes = json.dumps({path: len(content) for path, content in files.items()}).encode()
    packed = b"".join([len(sizes).to_bytes(4, "little"), sizes, *files.values()])
    (folder / "playout.data").write_bytes(gzip.compress(packed, mtime=0))
    with zipfile.ZipFile(folder / "python_stdlib.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as out:
        for path, content in with_bytecode(system, pyodide / "python_stdlib.zip").items():
            out.writestr(zipfile.ZipInfo(path), content, zipfile.ZIP_DEFLATED)
    # The number with which Pyodide refuses the memory of another build.
    parts = [folder / CORE, folder / GLUE, folder / "python_stdlib.zip"]
    number = hashlib.sha256(b"".join(path.read_bytes() for path in parts)).hexdigest()
    start, count = re.subn(r'(?<=BUILD_ID:")\w{64}', number, (pyodide / START).read_text(encoding="utf-8"))
    assert count == 1
    (folder / START).write_text(start, encoding="utf-8")


def trim(system: Path, pyodide: Path, modules: list[Path], folder: Path) -> None:
    """Write CORE and GLUE without the functions that neither the modules nor the JavaScript of Pyodide can call.

    They are a tenth of the code, and most of 8,600 exports, each of which would get a place in a table at every start.
    """
    command = ["node", "-e", NAMES, str(pyodide / CORE), *map(str, modules)]
    exports, *imports = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    glue = (pyodide / GLUE).read_text(encoding="utf-8")
    taken = re.compile(r'([\w$]+)=Module\["\1"\]=wasmExports\["(\w+)"\](?:\.value>>>0)?;?')
    declared = re.search(r"var ([\w$,=]+);(?=function assignWasmExports\()", glue)
    assert declared is not None
    rest = taken.sub("", glue.replace(declared[0], "")) + (pyodide / START).read_text(encoding="utf-8")
    used = set(re.findall(r"[\w$]+", rest)) | {one["name"] for names in imports for one in names}
    kept = {one["name"] for one in exports if {one["name"], "_" + one["name"]} & used}

    def unless_unused(found: re.Match[str]) -> str:
        return found[0] if found[2] in kept else ""

    unused = {found[1] for found in taken.finditer(glue) if found[2] not in kept}
    names = ",".join(name for name in declared[1].split(",") if name.partition("=")[0] not in unused)
    glue = taken.sub(unless_unused, glue.replace(declared[0], f"var {names};"))
    (folder / GLUE).write_text(glue, encoding="utf-8")
    graph = [{"name": name, "export": name, "root": True} for name in sorted(kept)]
    (system / "work/graph.json").write_text(json.dumps(graph), encoding="utf-8")
    shutil.copyfile(pyodide / CORE, system / "work" / CORE)
    options = [*(f"--enable-{name}" for name in FEATURES), "--graph-file=/work/graph.json"]
    command = ["chroot", str(system), "wasm-metadce", *options, f"/work/{CORE}", "-o", "/work/trimmed.wasm"]
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    shutil.copyfile(system / "work/trimmed.wasm", folder / CORE)


def with_bytecode(system: Path, given: Path, more: Mapping[str, Path] = MappingProxyType({})) -> dict[str, bytes]:
    """Return the files of an archive that are used, and more files, with bytecode instead of source.

    They are sorted by their kind, which makes them smaller when they are compressed together.
    """
    work = system / "work" / "bytecode"
    shutil.rmtree(work, ignore_errors=True)
    with zipfile.ZipFile(given) as archive:
        archive.extractall(work, [name for name in archive.namelist() if not UNUSED.match(name)])
    for name, path in more.items():
        (work / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, work / name)
    script = "cd /work/bytecode && exec python3.14 -OO -m compileall -q -b --invalidation-mode unchecked-hash ."
    subprocess.run(["chroot", str(system), "sh", "-c", script], check=True)
    paths = sorted(work.rglob("*"), key=lambda path: (path.suffix, path))
    files = {
        str(path.relative_to(work)): path.read_bytes() for path in paths if path.is_file() and path.suffix != ".py"
    }
    shutil.rmtree(work)
    return files


if __name__ == "__main__":
    main()
