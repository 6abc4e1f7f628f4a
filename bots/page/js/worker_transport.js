// The way to the games in a static site: a worker with the compiled core, and the routes of the server in Python.

const { Engine } = await import(new URL("../../playout-games/index.js", import.meta.url).href);

const LIMIT_MS = 30000;
const LOOK_MS = 2000;
const SLOW =
  "The worker did not answer for 30 seconds and was ended. These rules, or this bot, are too slow for this page.";
const FAILED = "The worker failed and was ended. These rules, or this bot, may need more memory than the page has.";

const engine = new Engine({ isKept: true });
/** Files with the answers to requests of the first page, which is shown while the worker is loaded. */
const FILES = new Map(["/games", "/info"].map((path) => [path, new URL(`../..${path}.json`, import.meta.url).href]));
const PICTURES = new URL("../../pictures.json", import.meta.url).href;
/** @type {Promise<Record<string, string>> | undefined} key of a game -> its picture */
let drawn;
/** @type {Set<WorkerSocket>} */
const sockets = new Set();
/** Messages that wait for an answer. */
let waiting = 0;
/** @type {number | null} time of a ping that has no answer */
let pinged = null;
/** True if the worker has answered: it is loaded. */
let isLoaded = false;
/** Why the worker was ended. */
let ended = "";
let numbers = 0;
/** @type {ReturnType<typeof setInterval> | undefined} */
let clock;

function pictures() {
  drawn ??= fetch(PICTURES).then((response) => response.json());
  return drawn;
}

/** @param {string} why */
function end(why) {
  ended = why;
  isLoaded = false;
  pinged = null;
  engine.cancel();
}

/** End the worker if it is busy for too long. While it is loaded, and while nobody waits for it, it has any time. */
function look() {
  if (pinged !== null) {
    if (isLoaded && Date.now() - pinged > LIMIT_MS) end(SLOW);
    return;
  }
  pinged = Date.now();
  engine.request({ do: "ping" }).then(() => {
    isLoaded = true;
    pinged = null;
  }, () => {});
}

/**
 * @param {Record<string, any>} message
 * @param {(frame: any) => void} [onFrame]
 * @returns {Promise<any>}
 */
async function ask(message, onFrame) {
  waiting += 1;
  clock ??= setInterval(look, LOOK_MS);
  try {
    const answer = await engine.request(message, onFrame);
    isLoaded = true;
    return answer;
  } catch (error) {
    if (/** @type {{kind?: string}} */ (error).kind === "Error" && isLoaded) end(FAILED); // not an error of the routes
    throw ended ? new Error(ended) : error;
  } finally {
    waiting -= 1;
    if (waiting === 0) {
      clearInterval(clock);
      clock = undefined;
      pinged = null;
    }
  }
}

ask({ do: "ping" }).catch(() => {}); // the worker begins to load

/** The socket of a match in the worker. After the end of a worker it says why, and is closed by the next request. */
class WorkerSocket extends EventTarget {
  /** @type {number} */
  readyState = WebSocket.CONNECTING;
  #id = ++numbers;

  /** @param {string} path */
  constructor(path) {
    super();
    sockets.add(this);
    queueMicrotask(() => {
      if (this.readyState !== WebSocket.CONNECTING) return;
      this.readyState = WebSocket.OPEN;
      const asked = ask({ do: "socket", id: this.#id, path }, (/** @type {any} */ frame) => this.#receive(frame));
      asked.then(() => this.shut(), (error) => this.#receive({ type: "error", error: { message: error.message } }));
      this.dispatchEvent(new Event("open"));
    });
  }

  /** @param {any} frame */
  #receive(frame) {
    this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(frame) }));
  }

  /** @param {string} text */
  send(text) {
    ask({ do: "frame", id: this.#id, text }).catch(() => {});
  }

  close() {
    if (this.readyState === WebSocket.OPEN) ask({ do: "frame", id: this.#id, text: null }).catch(() => {});
    this.shut();
  }

  shut() {
    this.readyState = WebSocket.CLOSED;
    sockets.delete(this);
    this.dispatchEvent(new Event("close"));
  }
}

/** @type {import("./transport.js").Transport} */
export const worker = {
  hasServer: false,

  async request(method, path, { body = null, token = null, query = {} }) {
    if (ended) {
      ended = "";
      for (const socket of sockets) socket.shut(); // they are opened again
    }
    const file = method === "GET" && FILES.get(path);
    if (file) return { status: 200, data: await (await fetch(file)).json() };
    const svg = method === "GET" && path.endsWith("/picture")
      && (await pictures())[decodeURIComponent(path.split("/")[2])];
    if (svg) return { status: 200, data: { svg } };
    return await ask({ do: "request", method, path, body, token, query });
  },

  socket: (path) => new WorkerSocket(path),
};
