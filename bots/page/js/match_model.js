// One match as the page knows it: its newest state, the ply that is shown, and the analysis.

import { matchApi } from "./api.js";
import { keepMatch, tokenOf } from "./memory.js";
import { Live } from "./transport.js";
import { TreeModel } from "./tree_model.js";
import { saidBot, saidPlayer, Words } from "./words.js";

/** @typedef {import("./types.js").Match} Match */
/** @typedef {import("./types.js").Position} Position */
/** @typedef {import("./types.js").Analysis} Analysis */

const POLL_MS = 1000;

/**
 * Events: `match` (a new version), `settled` (undo or redo has ended), `shown` (another ply is shown), `analysis`,
 * `line` (the connection), `problem`.
 */
export class MatchModel extends EventTarget {
  /** @type {Match} */
  match;
  /** @type {Match | null} the version before */
  before = null;
  /** @type {Position | null} an earlier ply that is shown; null: the newest */
  shown = null;
  /** @type {Analysis | null} */
  analysis = null;
  isAnalysing = false;
  /** @type {{simulations: number, values: number[]}[]} values while the analysis went on */
  course = [];
  tree = new TreeModel((frame) => this.live.send(frame));
  isOnline = true;
  /** True if the game has secrets. */
  isSecret = false;
  /** @type {number} */
  #analysisId = 0;
  #showing = 0;
  /** Version in which a forced action could not be played by itself. */
  #refused = -1;
  /** True while something is asked for that may take several steps. */
  isChanging = false;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #poll;

  /**
   * @param {Match} match
   * @param {import("./api.js").MatchApi} api
   */
  constructor(match, api) {
    super();
    this.match = match;
    this.words = new Words(match.phrases, match.written);
    this.api = api;
    /** @type {string | null} the person at the controls */
    this.player = match.player;
    this.live = new Live(match.id, api.token, () => this.player);
    this.live.addEventListener("frame", (event) => this.#frame(/** @type {CustomEvent} */ (event).detail));
    this.live.addEventListener("down", () => this.#online(false));
    this.live.addEventListener("up", () => this.#online(true));
    this.#remember();
  }

  /**
   * Load a match with the best token that this browser has.
   *
   * @param {string} id
   */
  static async load(id) {
    const api = matchApi(id, tokenOf(id));
    return new MatchModel(await api.get(null), api);
  }

  close() {
    clearInterval(this.#poll);
    this.live.close();
  }

  /** Ply that is shown. */
  get ply() {
    return this.shown?.ply ?? this.match.ply;
  }

  /** The position that is shown. */
  get position() {
    return this.shown ?? this.match;
  }

  /** Persons of this browser who have to decide now. */
  get deciders() {
    return this.match.is_over ? [] : this.match.waits_for.filter((player) => this.match.persons_here.includes(player));
  }

  /** True if the newest position is shown and the person at the controls has to decide between actions. */
  get canPlay() {
    return this.shown === null && this.player !== null && this.deciders.includes(this.player) && this.forced === null;
  }

  /** The only legal action of the person who decides, if no cell stands for it, such as a pass; null without one. */
  get forced() {
    if (this.player === null || !this.deciders.includes(this.player) || this.#refused === this.match.version)
      return null;
    const legal = this.match.legal[this.player];
    return legal?.length === 1 && !(legal[0] in this.clicks) ? legal[0] : null;
  }

  /** Cells that choose the actions of the person at the controls. */
  get clicks() {
    return this.match.clicks[this.player ?? ""] ?? {};
  }

  /** Play a forced action. Another window of the person may have done it. */
  async playForced() {
    const { forced, player, match } = this;
    if (forced === null || player === null || this.isChanging) return;
    this.isChanging = true;
    await this.#do(() => this.api.play(player, forced, match.version).catch(() => {
      this.#refused = match.version;
      this.dispatchEvent(new Event("shown")); // the person can choose the action now
      return this.api.get(player);
    }).finally(() => void (this.isChanging = false)));
  }

  /** True if parts of the game are secret while it continues. */
  get hides() {
    return this.isSecret && !this.match.is_over;
  }

  /** @param {string} action */
  async play(action) {
    if (this.player === null) return;
    await this.#do(() => this.api.play(/** @type {string} */ (this.player), action, this.match.version));
  }

  /**
   * @param {"undo" | "redo" | "resign" | "go_on"} what
   */
  async change(what) {
    const ask = () => this.api.change(what, this.player ?? this.match.persons_here[0] ?? null);
    // Nothing can be chosen where an action is forced, so undo and redo go past it.
    const goesOn = () => this.forced !== null
      && ((what === "undo" && this.match.can_undo) || (what === "redo" && this.match.can_redo));
    this.isChanging = true;
    try {
      do if (!(await this.#do(ask))) break;
      while (goesOn());
    } finally {
      this.isChanging = false;
    }
    this.dispatchEvent(new Event("settled"));
  }

  /**
   * Let another person of this browser take the controls.
   *
   * @param {string} player
   */
  async take(player) {
    if (player === this.player) return;
    this.player = player;
    this.stopAnalysis();
    await this.#do(() => this.api.get(player), true);
    this.live.send({ type: "look", player });
  }

  /**
   * Show the position after some plies; the last one is the newest again.
   *
   * @param {number} ply
   */
  async show(ply) {
    const wanted = Math.max(0, Math.min(ply, this.match.ply));
    const showing = ++this.#showing;
    if (wanted === this.ply) return;
    try {
      const position = wanted === this.match.ply ? null : await this.api.position(wanted, this.player);
      this.words.learn(position?.written);
      if (showing !== this.#showing) return;
      this.shown = position;
    } catch (error) {
      this.#problem(error);
      return;
    }
    this.analysis = null;
    this.dispatchEvent(new Event("shown"));
    if (this.isAnalysing) this.analyse();
  }

  /** The best action of the running analysis for the person at the controls; null while there is none. */
  get hint() {
    return this.analysis?.player === this.player && this.analysis?.ply === this.match.ply ? this.analysis.hint : null;
  }

  /** Search the position that is shown until it is stopped. */
  analyse() {
    this.isAnalysing = true;
    this.live.send({ type: "stop", id: this.#analysisId });
    this.#analysisId += 1;
    this.course = [];
    if (this.position.waits_for.length) {
      this.live.send({ type: "analyse", ply: this.ply, player: this.player, seconds: null, id: this.#analysisId });
      this.tree.restart({ game: this.match.game, state: this.position.notation ?? "" });
    } else this.tree.stop();
    this.dispatchEvent(new Event("analysis"));
  }

  stopAnalysis() {
    if (!this.isAnalysing) return;
    this.isAnalysing = false;
    this.live.send({ type: "stop", id: this.#analysisId });
    this.analysis = null;
    this.tree.stop();
    this.dispatchEvent(new Event("analysis"));
  }

  /**
   * @param {() => Promise<Match>} ask
   * @param {boolean} [isOther] true if the answer is another person's view of the same version
   * @returns {Promise<boolean>} false if it was refused
   */
  async #do(ask, isOther = false) {
    try {
      this.#set(await ask(), isOther);
      return true;
    } catch (error) {
      this.#problem(error);
      const { status } = /** @type {{status?: number}} */ (error);
      if (status === 409) await this.#do(() => this.api.get(this.player), true);
      return false;
    }
  }

  /**
   * Take a match, and show its newest position if it has changed. In the same version, bots may have begun to think.
   *
   * @param {Match} match
   * @param {boolean} isOther
   */
  #set(match, isOther = false) {
    const isNew = isOther || match.version > this.match.version;
    if (match.version < this.match.version || (!isNew && JSON.stringify(match) === JSON.stringify(this.match))) return;
    this.before = isOther ? null : this.match;
    this.match = match;
    this.words.learn(match.written);
    const isRead = match.is_over && this.ply < match.ply && this.shown !== null;
    if (isNew && !isRead) [this.shown, this.#showing] = [null, this.#showing + 1];
    this.#remember();
    const isMoved = this.before?.ply !== match.ply;
    if (isMoved) this.analysis = null;
    this.dispatchEvent(new Event("match"));
    if (this.isAnalysing && isMoved) match.is_over ? this.stopAnalysis() : this.analyse();
  }

  /** @param {any} frame */
  #frame(frame) {
    if (frame.type === "match") this.#set(frame.match);
    else if (frame.type === "analysis") {
      if (!this.isAnalysing || frame.ply !== this.ply || frame.id !== this.#analysisId) return;
      this.analysis = { ...frame, line: frame.line.map((/** @type {string[]} */ joint) => this.#ply(joint)) };
      if (frame.simulations > (this.course.at(-1)?.simulations ?? -1))
        this.course.push({ simulations: frame.simulations,
          values: frame.players.map((/** @type {{value: number}} */ one) => one.value) });
      this.tree.take(frame.tree ?? [], frame.done);
      this.dispatchEvent(new Event("analysis"));
    } else if (frame.type === "error") {
      if (this.isAnalysing) this.stopAnalysis();
      this.#problem(frame.error);
    }
  }

  /**
   * Return the actions of those who decide in a joint action.
   *
   * @param {string[]} joint
   * @returns {import("./types.js").Ply}
   */
  #ply(joint) {
    const named = joint.map((action, player) => [this.match.players[player] ?? "chance", action]);
    return Object.fromEntries(named.filter(([, action]) => action !== "noop"));
  }

  /**
   * Ask for changes now and then while the socket is down.
   *
   * @param {boolean} isOnline
   */
  #online(isOnline) {
    clearInterval(this.#poll);
    const ask = () => this.api.get(this.player).then((match) => this.#set(match), () => {});
    if (!isOnline) this.#poll = setInterval(ask, POLL_MS);
    else if (this.isAnalysing) this.analyse();
    if (isOnline === this.isOnline) return;
    this.isOnline = isOnline;
    this.dispatchEvent(new Event("line"));
  }

  #remember() {
    const { id, game, name, title, seats, is_over: isOver } = this.match;
    keepMatch({ id, game, name, title, isOver,
      with: seats.map((seat) => `${saidPlayer(seat.player)}: ${saidBot(seat.bot)}`).join(", ") });
  }

  /** @param {any} error */
  #problem(error) {
    this.dispatchEvent(new CustomEvent("problem", { detail: error?.message ?? String(error) }));
  }
}
