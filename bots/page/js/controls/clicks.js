// Which cells choose which action: one click, or several in order.

/** @typedef {import("../types.js").Clicks} Clicks */

/** The clicks that a person has made so far on the way to an action. */
export class ClickPath {
  /** @type {[string, string[][]][]} */
  #actions = [];
  /** @type {string[]} cells that are clicked already, in order */
  picked = [];

  /**
   * @param {Clicks} clicks
   */
  constructor(clicks) {
    this.#actions = Object.entries(clicks);
  }

  /** The groups of cells any of which is the next click of an action, without repetition. */
  get next() {
    return this.#groups(this.picked);
  }

  /** Cells that can be clicked: those of the next click, and those of another first one. */
  get choosable() {
    return new Set([...this.next, ...this.#groups([]), ...this.picked.slice(-1).map((cell) => [cell])].flat());
  }

  /** Cells whose click begins an action of several clicks, so that what lies on them can be dragged. */
  get movable() {
    return new Set(this.#actions.flatMap(([, clicks]) => (clicks.length > 1 ? clicks[0] : [])));
  }

  /** Actions whose clicks are complete. */
  get complete() {
    return this.#reached(this.picked).filter(([, clicks]) => clicks.length === this.picked.length)
      .map(([action]) => action);
  }

  /**
   * Click a cell. One that leads nowhere, and the last one again, take clicks back.
   *
   * @param {string} cell
   * @returns {string[]} the actions that are complete, more than one where they differ in no click
   */
  pick(cell) {
    const has = (/** @type {string[][]} */ groups) => groups.some((group) => group.includes(cell));
    if (has(this.next)) this.picked = [...this.picked, cell];
    else if (cell === this.picked.at(-1)) this.picked = this.picked.slice(0, -1);
    else this.picked = has(this.#groups([])) ? [cell] : [];
    return this.picked.length ? this.complete : [];
  }

  /**
   * Return the share of each cell in the shares of actions: that of the next click on the way that is taken, and before
   * the first click that of the last one, which is where a piece goes.
   *
   * @param {Record<string, number>} shares action -> share
   * @returns {Record<string, number>} cell -> share
   */
  heat(shares) {
    /** @type {Record<string, number>} */
    const heat = {};
    for (const [action, clicks] of this.#reached(this.picked)) {
      const cells = this.picked.length ? clicks[this.picked.length] : clicks.at(-1);
      for (const cell of cells ?? []) if (shares[action]) heat[cell] = (heat[cell] ?? 0) + shares[action];
    }
    return heat;
  }

  /**
   * @param {string[]} picked
   */
  #reached(picked) {
    return this.#actions.filter(([, clicks]) => picked.every((cell, number) => clicks[number]?.includes(cell)));
  }

  /**
   * @param {string[]} picked
   * @returns {string[][]}
   */
  #groups(picked) {
    const groups = new Map();
    for (const [, clicks] of this.#reached(picked)) {
      const group = clicks[picked.length];
      if (group) groups.set(group.join(" "), group);
    }
    return [...groups.values()];
  }
}

/**
 * Return all cells that actions name, and names of cells as they are.
 *
 * @param {Record<string, Clicks>} clicks player -> clicks
 * @param {string[]} actions actions or names of cells
 */
export function cellsOf(clicks, actions) {
  return actions.flatMap((action) => {
    const found = Object.values(clicks).flatMap((one) => one[action] ?? []);
    return found.length ? found.flat() : [action];
  });
}
