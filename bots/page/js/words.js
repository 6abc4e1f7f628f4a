// Actions, players and bots in words. A game describes its actions itself.

const AMOUNT = /^(?:(\w+):)?(\d+)$/;
const ACTION = /^([^(]*)(?:\((.*)\))?$/;
const SENTENCE = /^[A-Z]/;
export const HIDDEN = "?";

/** The words of one match about actions, from the description of its game and of its boards. */
export class Words {
  /**
   * @param {Record<string, string>} [phrases] kind of action -> its phrase
   * @param {Record<string, string>} [written] action -> its notation on the boards
   */
  constructor(phrases = {}, written = {}) {
    this.phrases = new Map(Object.entries(phrases));
    this.written = new Map(Object.entries(written));
  }

  /** @param {Record<string, string>} [written] of a further position of the match */
  learn(written = {}) {
    for (const [action, text] of Object.entries(written)) this.written.set(action, text);
  }

  /** @param {string} action */
  #parts(action) {
    const [, kind, inner = ""] = ACTION.exec(action) ?? ["", action];
    return { kind, inner, phrase: this.phrases.get(kind) ?? "plays {}" };
  }

  /**
   * Return the amounts of an action such as `bid(A1:3,E5:2)` or `bid(2,tiebreaker)` by place, and the words after them;
   * null for other actions.
   *
   * @param {string} action
   */
  amounts(action) {
    const { kind, inner, phrase } = this.#parts(action);
    if (!phrase.includes("{sum}")) return null;
    const amounts = new Map();
    const words = [];
    for (const part of inner ? inner.split(",") : []) {
      const found = AMOUNT.exec(part);
      if (found) amounts.set(found[1] ?? "", Number(found[2]));
      else words.push(part);
    }
    return words.length && !amounts.size ? null : { kind, amounts, words, total: sum(amounts.values()) };
  }

  /**
   * Return an action in few letters, for lists.
   *
   * @param {string} action
   * @returns {string}
   */
  short(action) {
    if (action === HIDDEN) return "hidden";
    const written = this.written.get(action);
    if (written !== undefined) return written;
    if (SENTENCE.test(this.#parts(action).phrase)) return this.said(action);
    const found = this.amounts(action);
    if (!found) return action;
    if (!found.amounts.size) return "nothing";
    return found.amounts.has("") ? [found.kind, found.total, ...found.words.map((word) => `+ ${word}`)].join(" ")
      : [...found.amounts].map((one) => one.join(":")).join(" ");
  }

  /**
   * Return an action as the end of a sentence that begins with a player, or as a sentence of its own.
   *
   * @param {string} action
   * @returns {string}
   */
  said(action) {
    if (action === HIDDEN) return "acts in secret";
    const { kind, inner, phrase } = this.#parts(action);
    const whole = this.written.get(action) ?? (this.phrases.has(kind) ? inner : action);
    return phrase.replace(/\{(\w*)\}/g,
      (_, name) => (name === "" ? whole.replaceAll(",", ", ") : name === "sum" ? this.#sum(action)
        : inner.split(",")[Number(name) - 1] ?? ""));
  }

  /** @param {string} action */
  #sum(action) {
    const found = this.amounts(action);
    if (!found) return action;
    const more = found.words.map((word) => ` with the ${word}`).join("");
    return `${found.total}${found.amounts.has("") ? more : ` on ${plural(found.amounts.size, "place")}`}`;
  }

  /**
   * @param {import("./types.js").Ply} ply
   * @returns {string}
   */
  ply(ply) {
    return Object.entries(ply)
      .filter(([, action]) => action !== "noop")
      .map(([player, action]) => {
        const said = this.said(action);
        return SENTENCE.test(said) ? said : player === "chance"
          ? `Chance: ${this.short(action)}` : `${saidPlayer(player)} ${said}`;
      })
      .join("; ");
  }
}

/**
 * Return the name of a player for people, without `player` at its end: `x` for `xplayer`.
 *
 * @param {string} player
 */
export function saidPlayer(player) {
  return player.replace(/(?<=.)[_-]?player$/i, "").replaceAll("_", " ");
}

/**
 * @param {Iterable<number>} numbers
 */
export function sum(numbers) {
  let total = 0;
  for (const one of numbers) total += one;
  return total;
}

/**
 * @param {number} count
 * @param {string} word
 */
export function plural(count, word) {
  return `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;
}

/**
 * @param {string[]} words
 * @param {string} [last]
 */
export function listed(words, last = "and") {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${last} ${words.at(-1)}`;
}

/**
 * Return who plays a seat.
 *
 * @param {string | null} bot spec, or null for a person
 */
export function saidBot(bot) {
  if (bot === null) return "person";
  const level = /^level\((?:level=|strength=)?(\d+)\)$/.exec(bot);
  // Of a net, the name of its file says enough.
  return level ? `level ${level[1]}` : bot.replace(
    /\bnet="?(?:[^",)]*[/\\])?([^",)#/\\]+)(?:#[0-9a-f]{16})?"?/, "net=$1");
}

/**
 * Return a number of simulations in few letters, such as `3.4 M`.
 *
 * @param {number} count
 */
export function compact(count) {
  return new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 }).format(count);
}

/**
 * Return the result of a finished match.
 *
 * @param {import("./types.js").Match} match
 */
export function saidResult(match) {
  if (!match.returns) return "The game is over";
  const best = Math.max(...match.returns);
  const winners = match.players.filter((_, player) => match.returns?.[player] === best).map(saidPlayer);
  if (winners.length === match.players.length) return "Draw";
  return winners.length === 1 ? `${winners[0]} wins` : `${listed(winners)} share first place`;
}
