// The way to the games: a server, or in a static site a worker. And the socket of a match, over either.

const ROOT = "/api/v1";
const FIRST_WAIT = 500;
const LONGEST_WAIT = 15000;

/**
 * @typedef {object} Options
 * @property {any} [body]
 * @property {string | null} [token]
 * @property {Record<string, string>} [query]
 */

/** @typedef {{readyState: number, send(text: string): void, close(): void} & EventTarget} Socket as a WebSocket */

/**
 * @typedef {object} Transport
 * @property {boolean} hasServer false: matches are in this browser alone
 * @property {(method: string, path: string, options: Options) => Promise<{status: number, data: any}>} request
 * @property {(path: string) => Socket} socket
 */

/** @type {Transport} */
const server = {
  hasServer: true,

  async request(method, path, { body, token, query }) {
    /** @type {Record<string, string>} */
    const headers = { Accept: "application/json" };
    if (token) headers.Authorization = `Bearer ${token}`;
    if (body !== undefined) headers["Content-Type"] = "application/json";
    const search = query && Object.keys(query).length ? `?${new URLSearchParams(query)}` : "";
    const options = { method, headers, body: body === undefined ? undefined : JSON.stringify(body) };
    const response = await fetch(ROOT + path + search, { ...options, credentials: "omit" }).catch(() => {
      throw new Error("The server does not answer. It may have been stopped.");
    });
    return { status: response.status, data: await response.json().catch(() => null) };
  },

  socket(path) {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    return new WebSocket(`${scheme}://${location.host}${ROOT}${path}`);
  },
};

const isStatic = document.querySelector('meta[name="playout-transport"][content="worker"]') !== null;

/** @type {Transport} */
export const transport = isStatic ? (await import("./worker_transport.js")).worker : server;

/**
 * A connection that tells of changes by events: `frame` with the frame as `detail`, `up`, `down`. It comes back by
 * itself after a break.
 */
export class Live extends EventTarget {
  /** @type {Socket | null} */
  #socket = null;
  #wait = FIRST_WAIT;
  #isClosed = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * @param {string} id
   * @param {string | null} token
   * @param {() => string | null} player returns the player whose view is wanted
   */
  constructor(id, token, player) {
    super();
    this.id = id;
    this.token = token;
    this.player = player;
    this.#open();
  }

  /** Return true while frames can be sent. */
  get isUp() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  #open() {
    const socket = transport.socket(`/matches/${encodeURIComponent(this.id)}/live`);
    this.#socket = socket;
    socket.addEventListener("open", () => {
      this.#wait = FIRST_WAIT;
      this.send({ type: "hello", token: this.token, player: this.player() });
      this.dispatchEvent(new Event("up"));
    });
    socket.addEventListener("message", (event) => {
      const frame = JSON.parse(/** @type {MessageEvent} */ (event).data);
      if (frame.type === "ping") this.send({ type: "pong" });
      else this.dispatchEvent(new CustomEvent("frame", { detail: frame }));
    });
    socket.addEventListener("close", () => {
      if (this.#isClosed || socket !== this.#socket) return;
      this.dispatchEvent(new Event("down"));
      this.#timer = setTimeout(() => this.#open(), this.#wait);
      this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT);
    });
  }

  /**
   * @param {Record<string, any>} frame
   */
  send(frame) {
    if (this.isUp) this.#socket?.send(JSON.stringify(frame));
  }

  close() {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#socket?.close();
  }
}
