// <playout-board game="othello" level="4">: a game against a bot, in one line of HTML.

import { ClickPath } from "./clicks.js";
import { facts, match } from "./index.js";

const STYLE = `
:host { display: inline-block; max-width: 30rem; font-family: system-ui, sans-serif; }
svg { width: 100%; height: auto; }
[data-cell].choosable { cursor: pointer; }
[data-cell].choosable:focus-visible { outline: 3px solid currentColor; }
[data-cell].picked > :first-child { stroke: #8438a8; stroke-width: 4; }
p, div { margin: 0.4em 0; }
button { font: inherit; margin: 0 0.3em 0.3em 0; }
`;

/**
 * Attributes: `game`, the name of a game (default `mnk`); `level`, the strength of the bots, 1 to 10 (default 4);
 * `player`, the player who is a person (default the first). Property: `rules`, the text of a rulesheet. It sends the
 * event `playout-end` with the returns.
 */
export class PlayoutBoard extends HTMLElement {
  static observedAttributes = ["game", "level", "player"];

  #root = this.attachShadow({ mode: "open" });
  #match = null;
  #path = null;
  #isShown = false;
  /** Number of the last beginning of a match; what belongs to an earlier one is dropped. */
  #turn = 0;
  #rules = undefined;

  connectedCallback() {
    this.#isShown = true;
    void this.#begin();
  }

  disconnectedCallback() {
    this.#turn += 1;
    this.#isShown = false;
    void this.#match?.close().catch(() => {});
    this.#match = null;
  }

  attributeChangedCallback() {
    if (this.#isShown) void this.#begin();
  }

  /** Text of a rulesheet that is played in place of a game with a name. */
  get rules() {
    return this.#rules;
  }

  set rules(text) {
    this.#rules = text;
    if (this.#isShown) void this.#begin();
  }

  /** The match, or null until it has begun. */
  get match() {
    return this.#match;
  }

  async #begin() {
    const turn = (this.#turn += 1);
    void this.#match?.close().catch(() => {});
    this.#match = null;
    this.#show("loading …");
    await this.#wait(turn, async () => {
      const game = this.getAttribute("game") ?? "mnk";
      const level = `level(${this.getAttribute("level") ?? 4})`;
      const rules = this.#rules;
      const { players } = await facts(game, { rules });
      const person = this.getAttribute("player") ?? players[0];
      const seats = Object.fromEntries(players.filter((one) => one !== person).map((one) => [one, level]));
      const begun = await match(game, seats, { rules });
      if (turn !== this.#turn) return void begun.close();
      this.#match = begun;
    });
  }

  /** Do something that takes time, then show the position, or the error. */
  async #wait(turn, work) {
    this.setAttribute("aria-busy", "true");
    let message = "";
    try {
      await work();
    } catch (error) {
      message = error.message;
    }
    if (turn !== this.#turn) return;
    this.removeAttribute("aria-busy");
    if (!this.#match) return this.#show(message);
    this.#show(message || this.#status());
    if (this.#match.isOver) this.dispatchEvent(new CustomEvent("playout-end", { detail: this.#match.returns }));
  }

  #status() {
    const { isOver, returns, players, waitsFor } = this.#match;
    if (isOver) return players.map((player, seat) => `${player}: ${returns[seat]}`).join(", ");
    return waitsFor.length ? `${waitsFor[0]} to play` : "";
  }

  #show(status) {
    const [player] = this.#match?.waitsFor ?? [];
    this.#path = new ClickPath(player ? this.#match.clicks[player] : {});
    this.#root.innerHTML = `<style>${STYLE}</style><div id="board"></div><p role="status"></p><div id="actions"></div>`;
    if (this.#match) this.#root.querySelector("#board").append(this.#match.picture());
    this.#root.querySelector("p").textContent = status;
    for (const cell of this.#root.querySelectorAll("[data-cell]")) {
      cell.addEventListener("click", () => this.#click(cell.dataset.cell, player));
      cell.addEventListener("keydown", (event) => {
        if (event.key === "Enter" || event.key === " ") {
          event.preventDefault();
          this.#click(cell.dataset.cell, player);
        }
      });
    }
    this.#mark();
    const actions = this.#root.querySelector("#actions");
    const named = new Set(Object.keys(player ? this.#match.clicks[player] : {}));
    for (const action of (player && this.#match.legalActions[player]) || []) {
      if (!named.has(action)) actions.append(this.#button(action, () => this.#play(action, player)));
    }
    if (this.#match?.canUndo)
      actions.append(this.#button("Undo", () => this.#wait(this.#turn, () => this.#match.undo())));
    if (this.#match || status !== "loading …") actions.append(this.#button("New game", () => this.#begin()));
  }

  #mark() {
    const choosable = this.#path.choosable;
    for (const cell of this.#root.querySelectorAll("[data-cell]")) {
      const can = choosable.has(cell.dataset.cell);
      cell.classList.toggle("choosable", can);
      cell.classList.toggle("picked", this.#path.picked.includes(cell.dataset.cell));
      cell.toggleAttribute("tabindex", can);
      if (can) {
        cell.setAttribute("tabindex", "0");
        cell.setAttribute("role", "button");
        cell.setAttribute("aria-label", cell.dataset.cell);
      }
    }
  }

  #click(cell, player) {
    if (this.hasAttribute("aria-busy") || !this.#path.choosable.has(cell)) return;
    const complete = this.#path.pick(cell);
    this.#mark();
    if (complete.length === 1) return void this.#play(complete[0], player);
    const actions = this.#root.querySelector("#actions");
    for (const old of actions.querySelectorAll("[data-choice]")) old.remove();
    for (const action of complete) {
      const button = this.#button(action, () => this.#play(action, player));
      button.dataset.choice = "";
      actions.prepend(button);
    }
  }

  #play(action, player) {
    return this.#wait(this.#turn, () => this.#match.play(action, player));
  }

  #button(text, act) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = text;
    button.addEventListener("click", () => {
      if (!this.hasAttribute("aria-busy")) void act();
    });
    return button;
  }
}

customElements.define("playout-board", PlayoutBoard);
