// Types of the data that the server sends, for the type checker. This module has no code.

/**
 * @typedef {object} Parameter
 * @property {string} name
 * @property {any} default
 * @property {number | null} [minimum]
 * @property {number | null} [maximum]
 * @property {any[] | null} [choices]
 */

/**
 * @typedef {object} GameInfo
 * @property {string} key what requests and links call the game: its name, or the whole spec of one that the server adds
 * @property {string} name name without parameters
 * @property {string} spec
 * @property {string} title
 * @property {string[]} players
 * @property {"turns" | "simultaneous"} kind
 * @property {boolean} is_hidden
 * @property {boolean} has_chance
 * @property {boolean} has_levels
 * @property {boolean} can_list_actions
 * @property {Parameter[]} parameters
 * @property {string} summary
 * @property {"family" | "classics" | "further"} group
 * @property {string} size such as `7x6`; empty: unknown
 * @property {string | null} example a position with something to see
 * @property {string | null} hint how to play it with a pointer
 * @property {boolean} has_amounts true if actions put amounts on places
 * @property {{label: string, parameters: Record<string, any>}[]} variants
 */

/**
 * @typedef {object} BotInfo
 * @property {string} name
 * @property {string} summary
 * @property {boolean} is_further true for a bot that the server adds
 * @property {number[] | null} levels of the bot of levels: those with even steps in the game
 * @property {boolean} is_strongest true for the bot of the strongest search of the game
 * @property {string | null} why_unsupported
 */

/** @typedef {Record<string, string>} Ply player, or `chance` -> text of the action; `?` where it is hidden */

/**
 * @typedef {Record<string, string[][]>} Clicks text of an action -> clicks in order, each with the names of cells any
 * of which will do
 */

/**
 * @typedef {object} Amounts
 * @property {string} action
 * @property {Record<string, [number, number]>} places place -> the least and the greatest amount
 * @property {[number, number]} total the least and the greatest sum
 * @property {string[]} words that may follow the amounts
 * @property {boolean} is_named true if the text names the places that have an amount
 * @property {string} rule
 * @property {[number, Record<string, string[]>][]} limits most groups of places that may have an amount, and the groups
 */

/**
 * @typedef {object} Position
 * @property {number} ply
 * @property {string | null} svg null: hidden from spectators
 * @property {string | null} text
 * @property {string | null} notation the position as text that the game reads
 * @property {string[]} waits_for
 * @property {Record<string, any>} facts
 * @property {Record<string, Clicks>} clicks player who decides -> cells that choose its actions
 * @property {Record<string, Record<string, string>>} pieces player who decides -> action -> picture of its piece, such
 *   as that of a promotion
 * @property {Record<string, string>} written action -> its notation on the board
 * @property {Record<string, Amounts | null>} amounts player who decides -> the action that puts amounts on places
 */

/**
 * @typedef {object} SeatInfo
 * @property {string} player
 * @property {string | null} bot
 * @property {string | null} name
 */

/**
 * @typedef {object} Match
 * @property {string} id
 * @property {string} game spec of the game
 * @property {string} name name of the game
 * @property {string} title
 * @property {"turns" | "simultaneous"} kind
 * @property {string[]} players
 * @property {string | null} player the player whose view this is
 * @property {string[]} persons_here
 * @property {SeatInfo[]} seats
 * @property {number} version
 * @property {number} ply
 * @property {string[]} waits_for
 * @property {string[]} chosen
 * @property {string[]} thinking
 * @property {boolean} is_over
 * @property {string | null} ending
 * @property {string[]} resigned
 * @property {number[] | null} returns
 * @property {Ply[]} history
 * @property {string | null} text
 * @property {string | null} notation the position as text that the game reads
 * @property {string | null} svg null: hidden from spectators
 * @property {Record<string, string[] | null>} legal
 * @property {Record<string, string>} phrases kind of action -> words that follow the player
 * @property {Record<string, any>} facts
 * @property {Record<string, Clicks>} clicks player who decides -> cells that choose its actions
 * @property {Record<string, Record<string, string>>} pieces player who decides -> action -> picture of its piece, such
 *   as that of a promotion
 * @property {Record<string, string>} written action -> its notation on the board
 * @property {Record<string, Amounts | null>} amounts player who decides -> the action that puts amounts on places
 * @property {boolean} assist
 * @property {boolean} can_undo
 * @property {boolean} can_redo
 * @property {any} limit
 * @property {{message: string} | null} error
 */

/**
 * @typedef {object} Arm
 * @property {string} action
 * @property {number} visits
 * @property {number} share
 * @property {number} probability
 * @property {number | null} value
 * @property {number | null} prior share in the policy of a net
 */

/** @typedef {{action: string, value: number | null, probability: number}} Hint the likeliest action of a search */

/**
 * @typedef {{player: string, action: string, cells: string[], wins: boolean, row: number}} ToldAction a good action;
 * `wins` where that is proven, at once by a row of this length, or 0
 */

/**
 * @typedef {{action: string, cost: number | null, best: ToldAction | null, reply: ToldAction | null, written:
 * Record<string, string>}} Coached a decision of a person
 */

/**
 * @typedef {object} Analysis
 * @property {number} ply
 * @property {string} player whose decision it is
 * @property {Hint} hint
 * @property {string | number} id
 * @property {number} simulations
 * @property {number} per_second
 * @property {number} seconds
 * @property {boolean} done
 * @property {boolean} proven
 * @property {{player: string, value: number}[]} players
 * @property {Record<string, Arm[]>} arms
 * @property {Record<string, [string, number][]>} strategies
 * @property {{bot: string | null} | null} net whose policy it is: the spec of a bot, or null for the search; null:
 *   there is none
 * @property {Ply[]} line
 * @property {Record<string, [number, number]>} bounds
 * @property {{path: Ply[], node: TreeNode | null}[]} tree nodes that were opened
 */

/**
 * @typedef {object} TreeArm
 * @property {Ply} joint
 * @property {number} visits
 * @property {Record<string, number>} values
 * @property {boolean} has_node
 * @property {Record<string, [number, number]> | null} bounds
 */

/**
 * @typedef {object} TreeNode
 * @property {number} visits
 * @property {string[]} acting
 * @property {Record<string, number> | null} values
 * @property {Record<string, [number, number]> | null} bounds
 * @property {TreeArm[]} arms
 * @property {number} left_out arms that are not among them
 */

/**
 * @typedef {object} Exact
 * @property {boolean} known
 * @property {Record<string, number>} [values]
 * @property {Record<string, {action: string, value: number, probability: number}[]>} [actions]
 */

/**
 * @typedef {object} EvaluatedPly
 * @property {Record<string, number> | null} values
 * @property {Record<string, number>} costs player -> what its action after this position cost
 * @property {Record<string, string>} best player -> a better action
 * @property {boolean} proven
 */

/** @typedef {{exact: boolean, plies: EvaluatedPly[]}} Evaluation positions from the first to the last */

/**
 * @typedef {object} Tokens
 * @property {string} [owner]
 * @property {string} [invitation] of a link that was opened here
 * @property {Record<string, string>} [seats]
 * @property {string} [spectator]
 */

/**
 * @typedef {object} Created
 * @property {string} id
 * @property {string} owner
 * @property {Record<string, string>} seats
 * @property {string} spectator
 * @property {Match} match
 */

/**
 * @typedef {object} Tournament
 * @property {string} id
 * @property {string} game spec
 * @property {string[]} bots
 * @property {string} pairing
 * @property {string} begun
 * @property {string} last_played
 * @property {number} games
 * @property {number} games_scheduled
 * @property {string | null} refused
 * @property {boolean} [is_over]
 */

/**
 * @typedef {object} RatedBot
 * @property {string} bot
 * @property {string} spec
 * @property {number | null} [elo] null: not rated; only where wins count
 * @property {number | null} [elo_error]
 * @property {number | null} [elo_lower]
 * @property {number | null} [elo_upper]
 * @property {number | null} [difference] of mean returns, only where returns count
 * @property {number | null} [difference_error]
 * @property {number | null} [difference_lower]
 * @property {number | null} [difference_upper]
 * @property {number} list number of its list of ratings: bots of different lists never met
 * @property {number | null} mean_return
 * @property {number | null} [mean_return_error]
 * @property {number | null} [mean_rank] only in a report
 * @property {number | null} [seconds_a_move] only in a report, where times are known
 * @property {number | null} [seconds_a_game]
 * @property {number} points
 * @property {number} games
 * @property {number} wins
 * @property {number} draws
 * @property {number} losses
 * @property {{player: string, wins: number, draws: number, losses: number, mean_return: number | null}[]} seats
 * @property {Record<string, number>} failures
 */

/**
 * @typedef {object} Ratings
 * @property {string} model
 * @property {string[][]} lists
 * @property {Record<string, number>} anchors
 * @property {(number | null)[][]} los likelihoods of superiority, in the order of the bots
 * @property {{player: string, elo?: number, elo_error?: number, difference?: number, difference_error?: number}[] |
 *   null} seats
 */

/**
 * @typedef {object} ArenaReport
 * @property {string[]} players
 * @property {"wins" | "returns"} score
 * @property {number} games
 * @property {RatedBot[]} bots
 * @property {Ratings} ratings
 * @property {[number, number][]} lengths number of steps, and number of games with it
 * @property {{bot: string, kind: string, message: string, log: string, count: number, games: number[]}[]} failures
 * @property {{first: string, second: string, wins: number, draws: number, losses: number, difference?: number}[]}
 *   pairings
 * @property {string[]} notes
 */

/**
 * @typedef {object} TournamentGame
 * @property {number} number
 * @property {{player: string, bot: string, return: number | null, seconds: number | null}[]} seats
 * @property {number} plies
 * @property {{player: string | null, kind: string, message: string}[]} failures
 * @property {string} begun
 */

/** @typedef {Tournament & {report: ArenaReport, last_games: TournamentGame[]}} TournamentResults */

/**
 * @typedef {object} Leaderboard
 * @property {string} game
 * @property {{game: string, games: number, tournaments: number, refused: string | null}[]} games
 * @property {ArenaReport} report
 * @property {string[]} tournaments
 */

export {};
