// One match: the board, whose turn it is, moves, analysis, and what follows the end.

import { api } from "../api.js";
import { button, fill, h, say, toast } from "../dom.js";
import { AnalysisPanel } from "../elements/analysis.js";
import { Board } from "../elements/board.js";
import { Graph } from "../elements/graph.js";
import { Moves } from "../elements/moves.js";
import { Players } from "../elements/players.js";
import { Ask } from "../controls/ask.js";
import { cellsOf } from "../controls/clicks.js";
import { heatOf } from "../heat.js";
import { MatchModel } from "../match_model.js";
import { keepMatch, remembered } from "../memory.js";
import { readPicture } from "../picture.js";
import { saidPlayer, saidResult } from "../words.js";
import { Tools } from "./tools.js";
import { TurnPanel } from "./turn.js";

/**
 * Keep the token of an invitation, and take it out of the address.
 *
 * @param {string} id
 * @param {URLSearchParams} options
 * @returns {string} the match
 */
export function acceptInvitation(id, options) {
  const token = options.get("token");
  if (token) {
    keepMatch({ id, tokens: { invitation: token } });
    history.replaceState(null, "", `#/match/${encodeURIComponent(id)}`);
  }
  return id;
}

/**
 * @param {HTMLElement} place
 * @param {string} id
 */
export async function showMatch(place, id) {
  const [model] = await Promise.all([MatchModel.load(id), api.games()]);
  const game = await api.game(model.match.game).catch(() => undefined);
  model.isSecret = game?.is_hidden ?? false;
  const amounts = game?.has_amounts === false ? null : await import("../controls/amounts.js");
  const board = new Board();
  const view = new MatchView(place, model, game, board, amounts && new amounts.AmountsControl(board, model));
  view.start();
  return () => view.stop();
}

class MatchView {
  players = new Players();
  moves = new Moves();
  ask = new Ask();
  analysis = new AnalysisPanel();
  graph = new Graph();
  /** @type {import("./coach.js").Coach | null} loaded when it is switched on */
  coach = null;
  /** @type {Promise<import("./coach.js").Coach> | null} */
  #coachLoads = null;
  /** @type {import("../elements/tree.js").Tree | null} loaded when it is shown */
  tree = null;
  #wantsTree = false;
  /** @type {import("../types.js").Exact | null} */
  #exact = null;
  #exactPly = -1;
  /** The version whose values were asked for. */
  #evaluated = "";
  /** @type {import("../types.js").Evaluation | null} */
  #evaluation = null;
  /** @type {import("../picture.js").Picture | null} */
  #picture = null;

  /**
   * @param {HTMLElement} place
   * @param {MatchModel} model
   * @param {import("../types.js").GameInfo | undefined} game
   * @param {Board} board
   * @param {import("../controls/amounts.js").AmountsControl | null} amounts
   */
  constructor(place, model, game, board, amounts) {
    this.model = model;
    this.game = game;
    this.board = board;
    this.amounts = amounts;
    this.turn = new TurnPanel(model, amounts, game?.hint ?? null);
    this.tools = new Tools(model, game, this.board);
    const turn = button("Off", () => this.#turnCoach(),
      { class: "button small", id: "coach", "aria-pressed": "false" });
    this.coachPanel = h("section", { class: "panel", "aria-label": "Coach" },
      h("div", { class: "panel-head" }, h("h2", {}, "Coach"), turn));
    this.loadCoach = async () => new (await import("./coach.js")).Coach(model, board, turn);
    this.end = h("section", { class: "panel end", "aria-label": "Evaluation", hidden: true }, this.graph);
    this.curtain = h("div", { class: "curtain", hidden: true });
    this.offline = h("p", { class: "offline", role: "status", hidden: true }, "No connection. Trying again…");
    this.boardBox = h("div", { class: "board-box" }, this.board, this.ask, this.curtain);
    this.treePanel = h("section", { class: "panel tree-panel", "aria-label": "Search tree", hidden: true },
      h("div", { class: "panel-head" }, h("h2", {}, "Search tree")));
    this.element = h("div", { class: "match", "data-game": model.match.name }, [
      h("section", { class: "table", "aria-label": "Board and players" }, this.players, this.boardBox),
      h("div", { class: "side" }, [
        this.offline,
        this.turn.element,
        this.tools.element,
        this.coachPanel,
        h("section", { class: "panel moves-panel", "aria-label": "Moves" },
          h("div", { class: "panel-head" }, h("h2", {}, "Moves")), this.moves),
        this.end,
        h("section", { class: "panel", "aria-label": "Analysis" }, this.analysis),
      ]),
      this.treePanel,
    ]);
    fill(place, this.element);
  }

  start() {
    const { model, board, moves, analysis } = this;
    document.title = `${model.match.title} – Playout`;
    board.addEventListener("choose", (event) => {
      const { name, actions } = /** @type {CustomEvent} */ (event).detail;
      const isPlayed = model.canPlay && actions.length === 1 && !board.goesOn;
      this.ask.show(isPlayed ? [] : actions, model.words, model.match.pieces[model.player ?? ""],
        board.cell(name ?? ""));
      if (isPlayed) model.play(actions[0]);
      this.#drawHeat();
    });
    this.ask.addEventListener("choose", (event) => model.play(/** @type {CustomEvent} */ (event).detail.action));
    this.ask.addEventListener("cancel", () => board.clear());
    for (const part of [moves, this.graph])
      part.addEventListener("show", (event) => model.show(/** @type {CustomEvent} */ (event).detail));
    analysis.addEventListener("toggle", () => {
      if (model.isAnalysing) model.stopAnalysis();
      else model.analyse();
      this.#askExact();
    });
    analysis.addEventListener("source", () => this.#drawAnalysis());
    analysis.addEventListener("line",
      (event) => board.setMarked(cellsOf(model.position.clicks, /** @type {CustomEvent} */ (event).detail)));
    model.addEventListener("match", () => this.#changed());
    model.addEventListener("shown", () => this.#draw());
    model.addEventListener("analysis", () => this.#drawAnalysis());
    model.tree.addEventListener("change", () => this.tree?.show());
    model.addEventListener("line", () => {
      this.offline.hidden = model.isOnline;
    });
    model.addEventListener("problem", (event) => toast(/** @type {CustomEvent} */ (event).detail, { isError: true }));
    model.addEventListener("settled", () => this.#playForced());
    this.#draw();
    if (remembered("playout.coach") === "on") this.#turnCoach();
    this.#takeTurn();
    this.#playForced();
  }

  stop() {
    this.model.close();
  }

  /** A new version of the match: say what happened, show it, open sealed bids. */
  #changed() {
    const { match, before } = this.model;
    if (before?.ply !== match.ply) this.#exactPly = -1;
    const news = before ? match.history.slice(before.history.length) : [];
    this.#draw();
    this.#takeTurn();
    this.#playForced();
    this.coach?.follow();
    if (!before) return;
    for (const ply of news) if (Object.keys(ply).length > 1) this.#reveal(ply);
    const words = news.map((ply) => this.model.words.ply(ply));
    if (match.history.length < before.history.length) words.push("Taken back.");
    if (match.is_over && !before.is_over) words.push(saidResult(match));
    else if (this.model.canPlay && news.length) words.push("Your turn.");
    if (words.length) say(words.join(". "));
  }

  /** @param {import("../types.js").Ply} ply */
  async #reveal(ply) {
    const { reveal } = await import("../controls/reveal.js");
    reveal(this.boardBox, ply, this.#picture?.seats ?? new Map(), this.model.words);
  }

  /** Play an action that is forced, with a note. */
  #playForced() {
    const { model, curtain } = this;
    const { forced, player } = model;
    if (forced === null || player === null || !curtain.hidden || model.isChanging) return;
    toast(`${saidPlayer(player)} ${model.words.said(forced)}: nothing else is legal.`);
    model.playForced();
  }

  #draw() {
    const { model } = this;
    const picture = readPicture(model.position.svg);
    this.#picture = picture;
    this.element.dataset.version = String(model.match.version);
    this.players.show(model, picture);
    this.board.show(picture, {
      canPlay: model.canPlay,
      player: model.player,
      clicks: model.clicks,
      isOpen: (name) => this.amounts?.isOpen(name) ?? false,
      extra: (name) => this.amounts?.amount(name) ? `amount ${this.amounts.amount(name)}` : "",
    });
    this.ask.show([], model.words);
    this.turn.show(picture);
    this.moves.show(model, picture);
    this.tools.show();
    this.coachPanel.hidden = !model.match.assist || !model.match.persons_here.length;
    this.coach?.show();
    this.#drawAnalysis();
    this.#evaluate();
    this.#askExact();
  }

  #drawAnalysis() {
    const seats = this.#picture?.seats ?? new Map();
    const { model } = this;
    this.treePanel.hidden = !model.isAnalysing || !model.position.waits_for.length || model.position.notation === null
      || this.game?.can_list_actions === false;
    if (!this.treePanel.hidden) this.#loadTree();
    if (this.tree) Object.assign(this.tree, { seats, words: model.words });
    this.analysis.show(this.model, { exact: this.#exactPly === this.model.ply ? this.#exact : null, seats });
    this.#drawHeat();
  }

  async #turnCoach() {
    const coach = await (this.#coachLoads ??= this.loadCoach());
    if (!this.coach) this.coachPanel.append(coach.element);
    this.coach = coach;
    coach.turn();
  }

  async #loadTree() {
    if (this.#wantsTree) return;
    this.#wantsTree = true;
    const { Tree } = await import("../elements/tree.js");
    this.tree = new Tree();
    this.tree.model = this.model.tree;
    this.treePanel.append(this.tree);
    this.#drawAnalysis();
    this.tree.show();
  }

  #drawHeat() {
    const { analysis, player, position } = this.model;
    this.board.setHeat(heatOf(analysis, player, position.clicks, this.model.words, this.board.picked,
      this.analysis.isOfNet));
  }

  /** Give the controls to a person of this browser who has to decide, behind a curtain where something is secret. */
  #takeTurn() {
    const { model } = this;
    const next = model.deciders.includes(model.player ?? "") ? model.player : model.deciders[0] ?? null;
    const isOther = next !== null && next !== model.player;
    if (!isOther || !model.hides || model.match.persons_here.length < 2) {
      this.curtain.hidden = true;
      this.boardBox.classList.remove("covered");
      if (isOther) model.take(/** @type {string} */ (next));
      return;
    }
    this.curtain.hidden = false;
    this.boardBox.classList.add("covered");
    fill(this.curtain, h("p", {}, "Hand over to ", h("strong", {}, saidPlayer(next))),
      button(`I am ${saidPlayer(next)}`, () => model.take(/** @type {string} */ (next)).then(() => this.#takeTurn()),
        { class: "button primary" }));
  }

  /** Ask for the values of a finished game, once. */
  async #evaluate() {
    const { model } = this;
    const { match } = model;
    this.end.hidden = !match.is_over || match.ply === 0;
    if (this.end.hidden) return;
    const key = `${match.id} ${match.version}`;
    if (this.#evaluated !== key) {
      this.#evaluated = key;
      this.#evaluation = null;
      fill(this.graph, h("p", { class: "muted" }, "Evaluating every position…"));
      try {
        this.#evaluation = await model.api.evaluation();
      } catch (error) {
        fill(this.graph, h("p", { class: "muted" }, /** @type {Error} */ (error).message));
      }
    }
    if (this.#evaluation && this.#evaluated === key)
      this.graph.show(this.#evaluation, model, this.#picture?.seats ?? new Map());
  }

  async #askExact() {
    const { model } = this;
    const { ply, match } = model;
    const isEnd = match.is_over && ply === match.ply;
    if (isEnd || model.hides || !match.assist || !(model.isAnalysing || match.is_over) || ply === this.#exactPly)
      return;
    try {
      const exact = await model.api.exact(ply);
      if (ply !== model.ply) return;
      [this.#exact, this.#exactPly] = [exact, ply];
      this.#drawAnalysis();
    } catch {
      // Without a solution there is no verdict.
    }
  }
}
