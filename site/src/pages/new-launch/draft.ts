import type { Network } from '@slipway/client'

export type Mechanic = 'bondingCurve' | 'launchpool'

/** What has been entered, as it was typed. Empty means: as the hint says. */
export interface Draft {
  name: string
  symbol: string
  description: string
  image: string
  website: string
  social: string
  telegram: string
  discord: string
  /** Empty: that of the account. */
  network: Network | ''
  mechanic: Mechanic
  /** Whole tokens. */
  supply: string
  /** What buys a whole curve, in SOL. */
  raise: string
  /** In SOL. */
  firstBuy: string
  /** What a pool must raise, in SOL. */
  goal: string
  /** Percent of the supply that depositors share. */
  poolShare: string
  /** Percent of the deposits that become liquidity. */
  liquidityShare: string
  lock: 'forever' | 'year'
  /** As `<input type="datetime-local">` writes it, in the reader's zone. */
  startsAt: string
  endsAt: string
}

export type FieldName = keyof Draft

export const EMPTY_DRAFT: Draft = {
  name: '',
  symbol: '',
  description: '',
  image: '',
  website: '',
  social: '',
  telegram: '',
  discord: '',
  network: '',
  mechanic: 'bondingCurve',
  supply: '1,000,000,000',
  raise: '85',
  firstBuy: '',
  goal: '50',
  poolShare: '60',
  liquidityShare: '50',
  lock: 'forever',
  startsAt: '',
  endsAt: '',
}

export const CHOICES = {
  mechanic: ['bondingCurve', 'launchpool'],
  lock: ['forever', 'year'],
} satisfies { [Name in FieldName]?: Draft[Name][] }
