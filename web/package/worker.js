// The worker: Pyodide with the wheel of Playout. A function of a Python module answers the requests.

const isNode = typeof process === "object" && !!process.versions?.node;
const port = isNode ? (await import(/* @vite-ignore */ "node:worker_threads")).parentPort : self;

let answer;

async function bytesOf(url) {
  if (url.startsWith("file:")) return new Uint8Array(await (await import(/* @vite-ignore */ "node:fs/promises")).readFile(new URL(url)));
  const found = await fetch(url);
  if (!found.ok) throw new Error(`${url}: ${found.status} ${found.statusText}`);
  return new Uint8Array(await found.arrayBuffer());
}

async function start(base, module = "playout_session") {
  const files = ["session.py", "playout.whl"].map((name) => bytesOf(new URL(name, base).href));
  const { loadPyodide } = await import(/* @vite-ignore */ base + "pyodide.mjs");
  const folder = base.startsWith("file:") ? (await import(/* @vite-ignore */ "node:url")).fileURLToPath(base) : base;
  const python = await loadPyodide({ indexURL: folder });
  const [session, wheel] = await Promise.all(files);
  const extractDir = python.runPython("import site; site.getsitepackages()[0]");
  python.unpackArchive(wheel, "wheel", { extractDir });
  python.FS.writeFile(`${extractDir}/playout_session.py`, session);
  answer = python.pyimport(module).call;
}

async function handle({ number, request }) {
  try {
    await started;
    const text = answer(JSON.stringify(request), (found) => port.postMessage({ number, progress: JSON.parse(found) }));
    port.postMessage({ number, ...JSON.parse(await text) });
  } catch (error) {
    port.postMessage({ number, error: String(error?.message ?? error), kind: "Error", failed: !answer });
  }
}

let started;
const receive = (message) => {
  started ??= start(message.base, message.application);
  handle(message);
};
if (isNode) port.on("message", receive);
else self.onmessage = ({ data }) => receive(data);
