export interface GameFacts {
  name: string;
  title: string;
  summary: string;
  players: string[];
}

export interface MatchOptions {
  /** Root of all random numbers; a new one without it. */
  seed?: number;
  /** Limit of each decision of a bot. */
  seconds?: number;
  /** Text of a rulesheet in the Game Description Language. */
  rules?: string;
  /** Text of the first state; the initial one without it. */
  position?: string;
  /** Record of a match to continue. */
  record?: Record<string, unknown>;
}

export interface Arm {
  action: string;
  visits: number;
  value: number | null;
  probability: number;
}

export interface Analysis {
  action: string;
  values: Record<string, number>;
  /** Visits, value and probability of each action; in a game without secrets for each player who decides. */
  arms: Arm[] | Record<string, Arm[]>;
  simulations: number;
  [more: string]: unknown;
}

export class PlayoutError extends Error {
  kind: string;
}

export class CancelledError extends Error {}

export class Match {
  readonly game: string;
  readonly title: string;
  readonly players: string[];
  /** The persons who decide now. */
  readonly waitsFor: string[];
  /** Person -> its legal actions, or null in a game with too many to list. */
  readonly legalActions: Record<string, string[] | null>;
  /** Person -> action -> clicks, each a list of cells any of which will do. */
  readonly clicks: Record<string, Record<string, string[][]>>;
  readonly isOver: boolean;
  /** The return of each player, or null before the end. */
  readonly returns: number[] | null;
  readonly history: Record<string, string>[];
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  readonly record: Record<string, unknown>;
  readonly text: string;
  svg(): string;
  /** The same as an element of the page, from which everything but shapes and texts is removed. */
  picture(): SVGSVGElement;
  svgFor(player: string, theme?: "auto" | "light" | "dark"): Promise<string>;
  play(action: string, player?: string): Promise<this>;
  undo(): Promise<this>;
  redo(): Promise<this>;
  resign(player?: string): Promise<this>;
  hint(options?: { seconds?: number; player?: string }): Promise<string>;
  analyse(options?: {
    /** Limit of the time; 1 without a limit of simulations. */
    seconds?: number;
    simulations?: number;
    player?: string;
    /** A searcher with its parameters, such as `mcts(exploration=0.2)`; the strongest without it. */
    search?: string;
    /** Root of the random numbers of `search`. */
    seed?: number;
    /** Depth of the `tree` in the result of a tree search: values and proven bounds of the states below. */
    depth?: number;
    onProgress?: (found: Analysis) => void;
  }): Promise<Analysis>;
  cancel(): void;
  close(): Promise<void>;
}

export interface MoveOptions {
  /** The position as text or JSON; the start without it. */
  state?: string;
  /** What follows: the action of the only player who decides, or player -> action. */
  plies?: (string | Record<string, string>)[];
  /** Who decides; needed where several players decide at once. */
  player?: string;
  /** A bot such as `level(4)`; the strongest search without it. */
  bot?: string;
  seconds?: number;
  simulations?: number;
}

export interface BestMove {
  player: string;
  action: string;
  /** The expected return of the player, or null. */
  value: number | null;
  /** The actions of the search with their values, the best first. */
  values: Record<string, number | null>;
}

export class Engine {
  constructor(options?: { base?: string | URL; isKept?: boolean });
  games(): Promise<GameFacts[]>;
  facts(game: string, options?: { rules?: string }): Promise<GameFacts>;
  match(game: string, bots?: Record<string, string>, options?: MatchOptions): Promise<Match>;
  bestMove(game: string, options?: MoveOptions): Promise<BestMove>;
  cancel(): void;
  close(): void;
}

export function engine(options?: { base?: string | URL }): Engine;
export function games(): Promise<GameFacts[]>;
export function facts(game: string, options?: { rules?: string }): Promise<GameFacts>;
export function match(game: string, bots?: Record<string, string>, options?: MatchOptions): Promise<Match>;
export function bestMove(game: string, options?: MoveOptions): Promise<BestMove>;
