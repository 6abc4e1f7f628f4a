// <po-tree>: the search tree while it grows, and the node that is looked at, with its position.

import { api } from "../api.js";
import { fill, h, icon } from "../dom.js";
import { ICONS } from "../icons.js";
import { markOf, readPicture } from "../picture.js";
import { keyOf } from "../tree_model.js";
import { compact, plural, saidPlayer, Words } from "../words.js";
import { still } from "./board.js";
import { bar } from "./bars.js";

/** @typedef {import("../tree_model.js").Row} Row */
/** @typedef {import("../types.js").Ply} Ply */

const PICTURE_MS = 80;

export class Tree extends HTMLElement {
  /** @type {import("../tree_model.js").TreeModel | null} */
  model = null;
  /** @type {Map<string, import("../picture.js").SeatPicture>} */
  seats = new Map();
  words = new Words();
  /** @type {Row[]} */
  #rows = [];
  /** @type {Map<string, HTMLElement>} */
  #elements = new Map();
  /** @type {string} the row that Tab reaches */
  #current = "";
  #list = h("div", { class: "tree-rows", role: "tree", "aria-label": "Search tree" });
  #empty = h("p", { class: "tree-empty muted" });
  #picture = h("div", { class: "node-picture" });
  #path = h("p", { class: "node-path" });
  #facts = h("div", { class: "node-facts" });
  #drawn = "";
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  constructor() {
    super();
    fill(this, [
      h("div", { class: "tree-box" }, this.#list, this.#empty),
      h("div", { class: "node", role: "group", "aria-label": "Chosen node" }, this.#picture,
        h("div", { class: "node-text" }, this.#path, this.#facts)),
    ]);
    this.#list.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Show the tree of the model as it is now. */
  show() {
    if (!this.model) return;
    this.#rows = this.model.rows();
    this.#empty.hidden = this.#rows.length > 0;
    fill(this.#empty, this.model.isDone ? "The result was proven without a search." : "The first nodes come soon.");
    if (!this.#rows.some((row) => row.key === this.#current)) this.#current = this.#rows[0]?.key ?? "";
    const focused = document.activeElement;
    const wanted = this.#rows.map((row, number) => this.#row(row, number));
    wanted.forEach((element, number) => {
      if (this.#list.children[number] !== element)
        this.#list.insertBefore(element, this.#list.children[number] ?? null);
    });
    const keys = new Set(this.#rows.map((row) => row.key));
    for (const [key, element] of this.#elements) {
      if (keys.has(key)) continue;
      element.remove();
      this.#elements.delete(key);
    }
    this.#list.style.setProperty("--rows", String(this.#rows.length));
    if (focused instanceof HTMLElement && focused !== document.activeElement && this.#list.contains(focused))
      focused.focus({ preventScroll: true });
    this.#showNode();
  }

  /**
   * Return the element of a row, as new as its data.
   *
   * @param {Row} row
   * @param {number} number
   */
  #row(row, number) {
    let element = this.#elements.get(row.key);
    if (!element) {
      element = h("div", { class: "tree-row", role: "treeitem",
        onclick: (/** @type {MouseEvent} */ event) => this.#click(row.key, event) });
      this.#elements.set(row.key, element);
    }
    const isChosen = row.arm !== null && this.model?.chosen !== null && keyOf(this.model?.chosen ?? []) === row.key;
    const attributes = {
      "aria-level": row.level,
      "aria-posinset": row.place,
      "aria-setsize": row.siblings,
      "aria-selected": isChosen,
      "aria-expanded": row.canOpen ? row.isOpen : null,
      tabindex: row.key === this.#current ? 0 : -1,
    };
    for (const [name, value] of Object.entries(attributes)) {
      if (value === null) element.removeAttribute(name);
      else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, String(value));
    }
    element.style.setProperty("--at", String(number));
    element.style.setProperty("--level", String(row.level - 1));
    const share = row.arm && row.parentVisits ? row.arm.visits / row.parentVisits : 0;
    element.style.setProperty("--share", String(Math.min(1, share)));
    const text = JSON.stringify([row.arm, row.more, row.isOpen, row.canOpen]);
    if (element.dataset.shown !== text) {
      element.dataset.shown = text;
      fill(element, this.#cells(row));
    }
    return element;
  }

  /**
   * @param {Row} row
   */
  #cells(row) {
    if (!row.arm) return [h("span", { class: "tree-twist" }), h("span", { class: "tree-more" }, `${row.more} more…`)];
    const unread = { "aria-hidden": "true" };
    return [
      h("span", { class: "unseen" }, this.#said(row.arm)),
      h("span", { class: "tree-twist", ...unread }, row.canOpen && icon(ICONS.chevron)),
      h("span", { class: "tree-acts", ...unread }, this.#acts(row.arm.joint)),
      isProven(row.arm.bounds) && h("span", { class: "proven", ...unread }, "proven"),
      h("span", { class: "tree-visits", ...unread }, compact(row.arm.visits)),
      h("span", { class: "tree-value", ...unread }, saidValues(row.arm)),
    ];
  }

  /**
   * @param {Ply} joint
   */
  #acts(joint) {
    return Object.entries(joint).map(
      ([player, action]) => h("span", { class: "act" }, this.seats.has(player) && markOf(this.seats.get(player)),
        h("span", {}, this.words.short(action))));
  }

  /**
   * @param {import("../types.js").TreeArm} arm
   */
  #said(arm) {
    const values = Object.entries(arm.values).map(([player, value]) => `${saidPlayer(player)} ${value.toFixed(1)}`);
    return [this.words.ply(arm.joint), plural(arm.visits, "visit"), ...values,
      isProven(arm.bounds) ? "proven" : ""].filter(Boolean).join(", ");
  }

  /**
   * @param {string} key
   * @param {MouseEvent} event
   */
  #click(key, event) {
    const row = this.#rows.find((one) => one.key === key);
    if (!row || !this.model) return;
    const isTwist = event.target instanceof Element && event.target.closest(".tree-twist") !== null;
    const wasChosen = this.model.chosen !== null && keyOf(this.model.chosen) === row.key;
    this.#go(row);
    if (!row.arm || !row.isOpen) this.model.open(row, true);
    else if (isTwist || wasChosen) this.model.open(row, false);
  }

  /**
   * Move the focus to a row, and look at its node.
   *
   * @param {Row | undefined} row
   */
  #go(row) {
    if (!row) return;
    this.#current = row.key;
    if (row.arm) this.model?.choose(row.path);
    this.show();
    const element = this.#elements.get(row.key);
    element?.focus({ preventScroll: true });
    if (element) this.#keepInView(row);
  }

  /**
   * @param {Row} row
   */
  #keepInView(row) {
    const box = /** @type {HTMLElement} */ (this.#list.parentElement);
    const high = this.#list.offsetHeight / Math.max(1, this.#rows.length);
    const top = this.#rows.indexOf(row) * high;
    if (top < box.scrollTop) box.scrollTop = top;
    else if (top + high > box.scrollTop + box.clientHeight) box.scrollTop = top + high - box.clientHeight;
  }

  /**
   * @param {KeyboardEvent} event
   */
  #key(event) {
    const at = this.#rows.findIndex((row) => row.key === this.#current);
    const row = this.#rows[at];
    if (!row || !this.model || event.ctrlKey || event.metaKey || event.altKey) return;
    const { key } = event;
    if (!["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End", "Enter", " "].includes(key)) return;
    event.preventDefault();
    if (key === "ArrowUp") this.#go(this.#rows[at - 1]);
    else if (key === "ArrowDown") this.#go(this.#rows[at + 1]);
    else if (key === "Home") this.#go(this.#rows[0]);
    else if (key === "End") this.#go(this.#rows.at(-1));
    else if (key === "ArrowRight" && row.isOpen)
      this.#go(this.#rows[at + 1]?.level > row.level ? this.#rows[at + 1] : undefined);
    else if (key === "ArrowRight") this.#set(row, at, true);
    else if (key === "ArrowLeft" && !row.isOpen)
      this.#go(this.#rows.slice(0, at).findLast((one) => one.level < row.level));
    else this.#set(row, at, key !== "ArrowLeft" && !row.isOpen);
  }

  /**
   * Open or close the row that has the focus. The first of the children that were left out has it afterwards.
   *
   * @param {Row} row
   * @param {number} at
   * @param {boolean} isOpen
   */
  #set(row, at, isOpen) {
    this.model?.open(row, isOpen);
    if (!row.arm) this.#go(this.#rows[at]);
  }

  #showNode() {
    const { model } = this;
    const path = model?.chosen;
    if (!model || !path) {
      fill(this.#path, "");
      fill(this.#facts, "");
      fill(this.#picture);
      this.#drawn = "";
      return;
    }
    const node = model.node(path);
    const arm = model.node(path.slice(0, -1))?.arms.find((one) => keyOf([one.joint]) === keyOf(path.slice(-1)));
    const steps = path.map((step) => h("span", { class: "line-step" }, this.#acts(step)));
    const text = JSON.stringify(path);
    if (this.#path.dataset.shown !== text) fill(this.#path, steps);
    this.#path.dataset.shown = text;
    const values = node?.values ?? arm?.values ?? {};
    const bounds = node?.bounds ?? arm?.bounds ?? null;
    fill(this.#facts, [
      h("p", { class: "speed" }, h("span", {}, plural(node?.visits ?? arm?.visits ?? 0, "visit")),
        isProven(bounds) && h("span", { class: "proven" }, "proven")),
      h("div", { class: "bars", role: "group", "aria-label": "Values of the node" },
        Object.keys(model.node([])?.values ?? values)
        .map((player) => bar(player, values[player] ?? null, this.seats.get(player), bounds?.[player]))),
      node && !node.arms.length && h(
        "p", { class: "muted" }, node.acting.length ? "Not searched further." : "The game is over here."),
    ]);
    this.#draw(model.root, path);
  }

  /**
   * Draw the position at the end of a path from the root, when the reader stays there.
   *
   * @param {{game: string, state: string}} root
   * @param {Ply[]} path
   */
  #draw(root, path) {
    const wanted = JSON.stringify([root, path]);
    if (this.#drawn === wanted) return;
    this.#drawn = wanted;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(async () => {
      try {
        const { svg } = await api.position({ ...root, plies: path, size: null });
        if (this.#drawn === wanted) fill(this.#picture, still(readPicture(svg)));
      } catch {
        if (this.#drawn === wanted) fill(this.#picture);
      }
    }, PICTURE_MS);
  }
}

/**
 * @param {Record<string, [number, number]> | null} bounds
 */
function isProven(bounds) {
  return bounds !== null && Object.values(bounds).every(([low, high]) => low === high);
}

/**
 * @param {import("../types.js").TreeArm} arm
 */
function saidValues(arm) {
  if (isProven(arm.bounds))
    return Object.keys(arm.joint).map((player) => +(arm.bounds?.[player]?.[0] ?? 0).toFixed(1)).join(" / ");
  return Object.values(arm.values).map((value) => value.toFixed(1)).join(" / ");
}

customElements.define("po-tree", Tree);
