// Run a Python file in Pyodide under node, with the wheel of build.py and folders of this machine:
//     node web/run.mjs FOLDER PROGRAM [ARGUMENT ...]
// FOLDER is that of build.py; PROGRAM may also be a module, with further packages in FOLDER/packages. The folder in
// which this runs is /here, the current folder of the program.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, program, ...given] = process.argv.slice(2);
const pyodide = resolve(folder, "node_modules/pyodide");
const { loadPyodide } = await import(pathToFileURL(join(pyodide, "pyodide.mjs")));
const python = await loadPyodide({ indexURL: pyodide + "/", args: [] });
const wheel = readdirSync(folder).find((name) => name.endsWith("_wasm32.whl"));
const packages = python.runPython("import sysconfig; sysconfig.get_path('platlib')");
python.unpackArchive(new Uint8Array(readFileSync(join(folder, wheel))), "wheel", { extractDir: packages });
const folders = { "/here": process.cwd(), "/packages": join(folder, "packages") };
for (const [place, root] of Object.entries(folders).filter(([, root]) => existsSync(root))) {
  python.FS.mkdir(place);
  python.FS.mount(python.FS.filesystems.NODEFS, { root }, place);
}
python.globals.set("arguments", [program, ...given]);
process.exitCode = python.runPython(`
import os, runpy, sys
os.chdir("/here")
sys.path[:] = [folder for folder in sys.path if folder]
sys.argv = list(arguments)
sys.path += ["/here", "/packages"]
try:
    if sys.argv[0].endswith(".py"):
        runpy.run_path(sys.argv[0], run_name="__main__")
    else:
        runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
    status = 0
except SystemExit as error:
    status = error.code if isinstance(error.code, int) else 0 if error.code is None else 1
    if isinstance(error.code, str):
        print(error.code, file=sys.stderr)
status
`);
