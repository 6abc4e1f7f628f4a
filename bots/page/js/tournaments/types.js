// The data of pages of one file.

/**
 * @typedef {object} ReportData
 * @property {string} headline
 * @property {Record<string, string>} facts
 * @property {import("../types.js").ArenaReport & {game: string}} results
 * @property {{name: string, members: [number, string][]}[]} families bots that differ only in their simulations
 * @property {string[]} labels of the bots by their index
 * @property {Record<string, string>} phrases kind of action -> words that follow the player
 * @property {number} sampled number of games from which times are known
 * @property {string[]} lines of all pictures
 * @property {ReportGame[]} games
 */

/**
 * @typedef {object} ReportGame
 * @property {number} number counted from 1
 * @property {number[]} seats indices of bots
 * @property {number[] | null} returns
 * @property {string[]} opening
 * @property {number} plies
 * @property {string[]} steps
 * @property {number[][]} deciders players of each step
 * @property {number[][]} frames pictures, as indices of lines
 * @property {{player: number | null, kind: string, message: string}[]} failures
 * @property {string | null} error the reason why the rest cannot be shown
 */

/**
 * @typedef {object} TrainingData
 * @property {string} game
 * @property {Record<string, string>} facts
 * @property {{title: string, text: string, unit: string, series: import("./charts.js").Series[]}[]} charts
 * @property {string[]} headings
 * @property {string[][]} rows
 */

export {};
