// The worker: Pyodide with the wheel of Playout. A function of `bots.web.local` answers the requests.

const isNode = typeof process === "object" && !!process.versions?.node;
const port = isNode ? (await import(/* @vite-ignore */ "node:worker_threads")).parentPort : self;

/** Time after the start, in which the first move is made. */
const KEPT_AFTER_MS = 3000;

let answer;

async function contentOf(url) {
  if (url.startsWith("file:"))
    return new Response(await (await import(/* @vite-ignore */ "node:fs/promises")).readFile(new URL(url)));
  const found = await fetch(url);
  if (!found.ok) throw new Error(`${url}: ${found.status} ${found.statusText}`);
  return found;
}

/**
 * Return the files in the packed one of build.py: a number of bytes, so many bytes of JSON with sizes, and the files.
 */
async function unpacked(url) {
  const stream = (await contentOf(url)).body.pipeThrough(new DecompressionStream("gzip"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let at = 4 + new DataView(bytes.buffer).getUint32(0, true);
  const sizes = JSON.parse(new TextDecoder().decode(bytes.subarray(4, at)));
  return Object.entries(sizes).map(([path, size]) => [path, bytes.subarray(at, at += size)]);
}

/**
 * Return Pyodide. A browser keeps what it has in memory after its start, and at the next visit Pyodide starts with that
 * in
 * a third of the time.
 */
async function pythonOf(loadPyodide, indexURL) {
  const kept = isNode ? undefined : await self.caches?.open("playout").catch(() => {});
  if (!kept) return await loadPyodide({ indexURL });
  const place = new URL("memory", indexURL).href;
  const found = await kept.match(place);
  if (found) {
    const _loadSnapshot = new Uint8Array(await found.arrayBuffer());
    // undefined if it is of another build
    const python = await loadPyodide({ indexURL, _loadSnapshot }).catch(() => {});
    if (python) return python;
  }
  const python = await loadPyodide({ indexURL, _makeSnapshot: true });
  const memory = python.makeMemorySnapshot();
  python.registerJsModule("js", globalThis); // instead of an object that notes what is used
  setTimeout(() => kept.put(place, new Response(memory)).catch(() => {}), KEPT_AFTER_MS);
  return python;
}

/** Return the texts that the browser keeps by their keys; undefined where it keeps none. */
async function database() {
  const done = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  try {
    const request = indexedDB.open("playout", 1);
    request.onupgradeneeded = () => request.result.createObjectStore("kept");
    const opened = await done(request);
    const table = (mode) => opened.transaction("kept", mode).objectStore("kept");
    return {
      get: (key) => done(table("readonly").get(key)),
      put: (key, text) => done(table("readwrite").put(text, key)),
      delete: (key) => done(table("readwrite").delete(key)),
      keys: () => done(table("readonly").getAllKeys()),
    };
  } catch {
    return undefined;
  }
}

async function start({ base, isKept }) {
  const files = unpacked(new URL("playout.data", base).href);
  const { loadPyodide } = await import(/* @vite-ignore */ base + "pyodide.mjs");
  const folder = base.startsWith("file:") ? (await import(/* @vite-ignore */ "node:url")).fileURLToPath(base) : base;
  const python = await pythonOf(loadPyodide, folder);
  const target = python.runPython("import site; site.getsitepackages()[0]");
  const folders = new Set();
  for (const [path, content] of await files) {
    const folder = `${target}/${path}`.replace(/\/[^/]*$/, "");
    if (!folders.has(folder)) python.FS.mkdirTree(folder);
    folders.add(folder);
    python.FS.writeFile(`${target}/${path}`, content, { canOwn: true });
  }
  answer = await python.pyimport("bots.web.local").started(isKept ? await database() : undefined, isKept);
}

async function handle({ number, request }) {
  try {
    await started;
    const text = answer(JSON.stringify(request), (found) => port.postMessage({ number, progress: JSON.parse(found) }));
    port.postMessage({ number, ...JSON.parse(await text) });
  } catch (error) {
    if (!answer && !isNode) await self.caches?.delete("playout").catch(() => {});
    port.postMessage({ number, error: String(error?.message ?? error), kind: "Error", failed: !answer });
  }
}

let started;
const receive = (message) => {
  started ??= start(message);
  handle(message);
};
if (isNode) port.on("message", receive);
else self.onmessage = ({ data }) => receive(data);
