import type { Mechanic } from '../launch-addresses.ts'

/** Times are in hours since the creation of the world; negative ones are in the past. */
export type LaunchEntry = {
  readonly slug: string
  readonly name: string
  readonly symbol: string
  readonly description: string
  readonly mechanic: Mechanic
  readonly startHours: number
  readonly endHours: number
  readonly deposited: number
  readonly graduated?: boolean
  /** Whether an AMM bucket follows the primary one. */
  readonly amm?: boolean
  readonly spotlight?: boolean
  /** Left unregistered, so that you can register it yourself. */
  readonly unregistered?: boolean
  readonly links?: readonly ('website' | 'social' | 'telegram' | 'discord')[]
  readonly token2022?: boolean
  /** SOL that a launch pool must raise; otherwise its deposits are refunded. */
  readonly goal?: number
  /** How many deposits there are besides the visitor's. One by default. */
  readonly deposits?: number
  /** SOL of the deposits that belong to the visitor. */
  readonly ofVisitor?: number
  /** Whether depositors get their tokens over a year. */
  readonly releases?: boolean
  /** Whether tokens can be claimed only after graduation. Then someone has to trigger the claims' condition. */
  readonly claimsAtGraduation?: boolean
  /**
   * A curve that does not trade: it opens later, waits for its first buy, or is sold out and has not graduated. Or a
   * pool or presale that has ended and has not graduated.
   */
  readonly waits?: 'for its start' | 'for its first buy' | 'for graduation'
}

type Row = [
  slug: string,
  name: string,
  symbol: string,
  description: string,
  startHours: number,
  endHours: number,
  deposited: number,
  more?: Partial<LaunchEntry>,
]

/** One minute, in hours. Some launches start a few minutes after the world is created. */
export const MINUTE = 1 / 60
export const ALL_LINKS = ['website', 'social', 'telegram', 'discord'] as const
export const rows = (mechanic: Mechanic, list: readonly Row[]): LaunchEntry[] =>
  list.map(([slug, name, symbol, description, startHours, endHours, deposited, more]) => ({
    slug,
    name,
    symbol,
    description,
    mechanic,
    startHours,
    endHours,
    deposited,
    ...more,
  }))
