// The search tree as the page knows it: the nodes that are open, and the one that is looked at.

/** @typedef {import("./types.js").Ply} Ply */
/** @typedef {import("./types.js").TreeNode} TreeNode */
/** @typedef {import("./types.js").TreeArm} TreeArm */

/** Nodes that the server reports at once; the root and the chosen one are among them. */
const MOST_WATCHED = 16;
const LONGEST_PATH = 12;
const FIRST_CHILDREN = 8;
/** Time for which the chosen node stays the same before the server is asked for it. */
const REST_MS = 150;

/**
 * @typedef {object} Row
 * @property {string} key of the path
 * @property {Ply[]} path
 * @property {TreeArm | null} arm null: the row that shows more children
 * @property {number} parentVisits
 * @property {number} level from 1
 * @property {number} place among its siblings, from 1
 * @property {number} siblings
 * @property {boolean} canOpen
 * @property {boolean} isOpen
 * @property {number} more children that are not shown
 */

/**
 * @param {Ply[]} path
 */
export const keyOf = (path) => JSON.stringify(path);

/** Events: `change`. */
export class TreeModel extends EventTarget {
  /** @type {Map<string, TreeNode | null>} newest data of watched nodes; null: the tree has no node there */
  #nodes = new Map();
  /** @type {Map<string, Ply[]>} nodes that are open, beside the root */
  #open = new Map();
  /** @type {Set<string>} nodes whose children are all shown */
  #whole = new Set();
  /** @type {Map<string, Ply[]>} nodes that the server reports */
  #watched = new Map();
  /** @type {Ply[] | null} */
  chosen = null;
  /** True if the search has ended. */
  isDone = false;
  /** The position at the root of the tree. */
  root = { game: "", state: "" };
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #rest;

  /**
   * @param {(frame: Record<string, any>) => void} send
   */
  constructor(send) {
    super();
    this.send = send;
  }

  /**
   * Begin with the tree of a new search. Nodes stay open if it is of the same position.
   *
   * @param {{game: string, state: string}} root the position
   */
  restart(root) {
    if (root.game !== this.root.game || root.state !== this.root.state) {
      this.#open.clear();
      this.#whole.clear();
      this.chosen = null;
    }
    this.root = root;
    this.isDone = false;
    this.#nodes.clear();
    this.#watched.clear();
    this.#watch();
    this.#changed();
  }

  stop() {
    clearTimeout(this.#rest);
    this.#nodes.clear();
    this.#watched.clear();
    this.#changed();
  }

  /**
   * Take the nodes of a frame.
   *
   * @param {{path: Ply[], node: TreeNode | null}[]} tree
   * @param {boolean} isDone true if the search has ended
   */
  take(tree, isDone) {
    this.isDone = isDone;
    if (isDone) this.#askForMissing(tree);
    for (const { path, node } of tree) {
      // A node that has gone for a moment, as at the cap of memory, keeps what was known.
      if (node || !this.#nodes.has(keyOf(path))) this.#nodes.set(keyOf(path), node);
    }
    const first = this.rows()[0];
    if (this.chosen === null && first) this.choose(first.path);
    this.#changed();
  }

  /**
   * @param {Ply[]} path
   * @returns {TreeNode | null | undefined} undefined: the server has not told yet
   */
  node(path) {
    return this.#nodes.get(keyOf(path));
  }

  /** Rows of the tree from top to bottom. */
  rows() {
    /** @type {Row[]} */
    const rows = [];
    this.#add(rows, []);
    return rows;
  }

  /**
   * @param {Row[]} rows
   * @param {Ply[]} path of an open node
   */
  #add(rows, path) {
    const node = this.node(path);
    if (!node) return;
    const arms = [...node.arms].sort((a, b) => b.visits - a.visits);
    const shown = this.#whole.has(keyOf(path)) ? arms : arms.slice(0, FIRST_CHILDREN);
    const more = arms.length - shown.length + (arms.length === shown.length ? 0 : node.left_out);
    const siblings = shown.length + (more > 0 ? 1 : 0);
    shown.forEach((arm, number) => {
      const below = [...path, arm.joint];
      const key = keyOf(below);
      const isOpen = this.#open.has(key);
      rows.push({ key, path: below, arm, parentVisits: node.visits, level: below.length, place: number + 1, siblings,
        canOpen: arm.has_node && below.length < LONGEST_PATH, isOpen, more: 0 });
      if (isOpen) this.#add(rows, below);
    });
    if (more > 0)
      rows.push({ key: `more ${keyOf(path)}`, path, arm: null, parentVisits: node.visits, level: path.length + 1,
        place: siblings, siblings, canOpen: false, isOpen: false, more });
  }

  /**
   * @param {Row} row
   * @param {boolean} isOpen
   */
  open(row, isOpen) {
    if (row.arm === null) this.#whole.add(keyOf(row.path));
    else if (isOpen && row.canOpen) this.#open.set(row.key, row.path);
    else if (!isOpen) this.#open.delete(row.key);
    for (const key of this.#open.keys()) {
      if (this.#open.size <= MOST_WATCHED - 2) break;
      if (key !== row.key) this.#open.delete(key); // the one that was opened first
    }
    this.#watch();
    this.#changed();
  }

  /**
   * Look at a node.
   *
   * @param {Ply[]} path
   */
  choose(path) {
    if (this.chosen !== null && keyOf(this.chosen) === keyOf(path)) return;
    this.chosen = path;
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => this.#watch(), REST_MS);
    this.#changed();
  }

  /** Tell the server which nodes are wanted. */
  #watch() {
    if (!this.root.game) return;
    /** @type {Map<string, Ply[]>} */
    const wanted = new Map([["[]", []], ...this.#open]);
    if (this.chosen) wanted.set(keyOf(this.chosen), this.chosen);
    for (const [key, path] of this.#watched) {
      if (!wanted.has(key)) this.send({ type: "close", path });
    }
    for (const [key, path] of wanted) {
      if (!this.#watched.has(key)) this.send({ type: "open", path });
    }
    this.#watched = wanted;
  }

  /**
   * Ask for nodes that were opened when the search had ended, but before its last frame was read.
   *
   * @param {{path: Ply[]}[]} tree
   */
  #askForMissing(tree) {
    const told = new Set(tree.map(({ path }) => keyOf(path)));
    for (const [key, path] of this.#watched) {
      if (!told.has(key)) this.send({ type: "open", path });
    }
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
  }
}
