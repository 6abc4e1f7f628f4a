// Matches against the bots of Playout, in a worker of this page or of node.

const HERE = new URL("./", import.meta.url).href;
/** The elements of a picture. */
const SHAPES = "svg, g, rect, circle, path, text, title, desc, style";
/** Attributes that run something or load from elsewhere; no picture has them. */
const ACTIVE = /^on|href$|^style$/i;

/** An error of a request, such as an illegal action. `kind` is the name of Playout's exception. */
export class PlayoutError extends Error {
  constructor(message, kind) {
    super(message);
    this.name = "PlayoutError";
    this.kind = kind;
  }
}

/** The error of what `cancel` or `close` has ended. */
export class CancelledError extends Error {
  constructor() {
    super("the request is cancelled");
    this.name = "CancelledError";
  }
}

/** A worker that holds matches. All functions of this module use one, unless another is given. */
export class Engine {
  #base;
  #worker = null;
  #calls = new Map();
  #number = 0;
  /** Matches that the worker has. */
  #matches = new Set();
  #isNew = false;
  #isKept;

  /**
   * @param base address of the folder of the package's files; that of this module without one
   * @param isKept true if the browser keeps the matches for the next visit
   */
  constructor({ base = HERE, isKept = false } = {}) {
    this.#isKept = isKept;
    this.#base = String(new URL(base, HERE));
    if (!this.#base.endsWith("/")) this.#base += "/";
  }

  /** The games that `match` takes by name. */
  async games() {
    return (await this.ask("GET", "/games")).map(({ key, ...facts }) => factsOf(key, facts));
  }

  /** What `games` tells of a game, with its parameters; with `rules`, of that rulesheet. */
  async facts(game, { rules } = {}) {
    const found = await this.ask("GET", `/games/${encodeURIComponent(await this.keyOf(game, rules))}`);
    return factsOf(found.spec, found);
  }

  /** Return what requests call a game; of a rulesheet, when the worker has it. */
  async keyOf(game, rules) {
    return rules === undefined ? game : await this.request({ do: "rules", text: rules, name: game });
  }

  /** Begin a match: see `match`. */
  async match(game, bots = {}, { seed, seconds, rules, position, record } = {}) {
    const found = new Match(this, { game, seats: bots, seed, seconds, rules, position });
    await found.begin(record);
    this.#matches.add(found);
    return found;
  }

  /** Return the move of a bot in a position: see `bestMove`. */
  async bestMove(game, options = {}) {
    return await this.ask("POST", "/move", JSON.parse(JSON.stringify({ game, ...options })));
  }

  /** Send a request of the HTTP interface to the worker. Return its answer. */
  async ask(method, path, body, token) {
    const { status, data, kind } = await this.request({ do: "request", method, path, query: {}, token, body });
    if (status >= 400) throw new PlayoutError(data.error.message, kind);
    return data;
  }

  /** Send a request to the worker, which is started if there is none. */
  async request(request, onProgress) {
    await this.ready();
    const number = ++this.#number;
    return await new Promise((resolve, reject) => {
      this.#calls.set(number, { resolve, reject, onProgress });
      this.#worker.postMessage({ number, base: this.#base, isKept: this.#isKept, request });
    });
  }

  /** End all requests that are not answered. Matches go on from their last answer. */
  cancel() {
    this.#end();
    this.#isNew = true;
  }

  /** End the worker with all matches. */
  close() {
    this.#end();
    this.#matches.clear();
  }

  forget(match) {
    this.#matches.delete(match);
  }

  #end(error = new CancelledError()) {
    this.#worker?.terminate();
    this.#worker = null;
    for (const call of this.#calls.values()) call.reject(error);
    this.#calls.clear();
  }

  /** Start the worker if there is none, with the matches that it had. */
  async ready() {
    if (this.#worker) return;
    const isNode = typeof process === "object" && !!process.versions?.node;
    if (isNode) {
      const { Worker: NodeWorker } = await import(/* @vite-ignore */ "node:worker_threads");
      this.#worker = new NodeWorker(new URL("./worker.js", import.meta.url));
      this.#worker.on("message", (data) => this.#receive(data));
      this.#worker.on("error", (error) => this.#fail(error));
    } else {
      this.#worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
      this.#worker.onmessage = ({ data }) => this.#receive(data);
      this.#worker.onerror = (event) => this.#fail(new Error(event.message || "the worker cannot be started"));
    }
    if (this.#isNew) {
      this.#isNew = false;
      await Promise.all([...this.#matches].map((one) => one.begin(one.record)));
    }
  }

  #receive({ number, progress, result, error, kind, failed }) {
    const call = this.#calls.get(number);
    if (!call) return;
    if (progress) return void call.onProgress?.(progress);
    this.#calls.delete(number);
    if (error === undefined) return call.resolve(result);
    call.reject(new PlayoutError(error, kind));
    if (failed) this.#fail(new PlayoutError(error, kind));
  }

  #fail(error) {
    this.#end(error);
    this.#isNew = true;
  }
}

function factsOf(name, { title, summary, players }) {
  return { name, title, summary, players };
}

/** A match between persons and bots: the state after the last answer, and what can be done. */
export class Match {
  #engine;
  #given;
  /** Id and token of the match in the worker. */
  #id;
  #token;
  #state = {};

  constructor(engine, given) {
    this.#engine = engine;
    this.#given = given;
  }

  static {
    for (const name of [
      "game", "title", "players", "waitsFor", "legalActions", "clicks", "isOver", "returns", "history", "canUndo",
      "canRedo", "record", "text",
    ]) Object.defineProperty(this.prototype, name, { get() { return this.#state[name]; } });
  }

  /** The position as SVG text; where something is hidden, what the person sees. */
  svg() {
    return this.#state.svg;
  }

  /** The same as an element of the page: shapes and texts alone, whatever the text has, so nothing in it runs. */
  picture() {
    const drawn = new DOMParser().parseFromString(this.#state.svg, "image/svg+xml");
    for (const part of drawn.querySelectorAll("*")) {
      if (!part.matches(SHAPES)) part.remove();
      for (const name of part.getAttributeNames()) if (ACTIVE.test(name)) part.removeAttribute(name);
    }
    return document.importNode(drawn.documentElement, true);
  }

  async begin(record) {
    const { game, rules, seats, seconds, seed, position } = this.#given;
    const start = record ? undefined : position;
    const made = await this.#engine.ask("POST", "/matches", {
      game: await this.#engine.keyOf(game, rules), seats, seconds, seed: seed?.toString(), start, record, assist: true,
    });
    [this.#id, this.#token] = [made.id, made.owner];
    return await this.#update();
  }

  play(action, player) { return this.#change("/actions", { action, player }); }
  undo() { return this.#change("/undo"); }
  redo() { return this.#change("/redo"); }
  resign(player) { return this.#change("/resign", { player }); }

  svgFor(player, theme = "auto") { return this.#look({ do: "svg", player, theme }); }
  async hint({ seconds = 1, player } = {}) { return (await this.#ask("POST", "/hint", { seconds, player })).action; }
  analyse({ onProgress, ...limits } = {}) { return this.#look({ ...limits, do: "analyse" }, onProgress); }

  /** End the requests of this match's worker that are not answered. The match continues from its last answer. */
  cancel() {
    this.#engine.cancel();
  }

  async close() {
    this.#engine.forget(this);
    await this.#ask("DELETE", "");
  }

  async #ask(method, path, body) {
    await this.#engine.ready(); // a new worker gives the match another id
    return await this.#engine.ask(method, `/matches/${this.#id}${path}`, body, this.#token);
  }

  async #look(request, onProgress) {
    await this.#engine.ready();
    return await this.#engine.request({ ...request, id: this.#id, token: this.#token }, onProgress);
  }

  async #change(path, body = {}) {
    await this.#ask("POST", path, body);
    return await this.#update();
  }

  async #update() {
    this.#state = await this.#look({ do: "state" });
    return this;
  }
}

let shared = null;

/** Return the worker that `match` and `games` use, and set the address of the package's files before its first use. */
export function engine(options) {
  shared ??= new Engine(options);
  return shared;
}

/** Return the games that can be played by name. */
export const games = () => engine().games();

/** Return what `games` tells of a game, with its parameters, such as `kuhn_poker(players=3)`. */
export const facts = (game, options) => engine().facts(game, options);

/**
 * Begin a match.
 *
 * @param game name of a game with its parameters, or with `rules` any name
 * @param bots player -> bot, such as `{o: "level(4)"}`; the other players are persons
 * @param options seed, seconds (limit of each decision of a bot), rules (text of a rulesheet), position (text of the
 *   first state), record (to continue)
 */
export const match = (game, bots, options) => engine().match(game, bots, options);

/**
 * Return the move of a bot in a position, without a match.
 *
 * @param game name of a game with its parameters, or the text of a rulesheet
 * @param options plies from the start or from `state`, player, bot, seconds, simulations: as for `POST /move` of a
 *   server
 * @returns its player, action and value, and the values of the other actions
 */
export const bestMove = (game, options) => engine().bestMove(game, options);
