// The socket of a match: changes and analysis. It comes back by itself after a break.

const FIRST_WAIT = 500;
const LONGEST_WAIT = 15000;

/**
 * A connection that tells of changes by events: `frame` with the frame as `detail`, `up`, `down`.
 */
export class Live extends EventTarget {
  /** @type {WebSocket | null} */
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
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/v1/matches/${encodeURIComponent(this.id)}/live`);
    this.#socket = socket;
    socket.addEventListener("open", () => {
      this.#wait = FIRST_WAIT;
      this.send({ type: "hello", token: this.token, player: this.player() });
      this.dispatchEvent(new Event("up"));
    });
    socket.addEventListener("message", (event) => {
      const frame = JSON.parse(event.data);
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
