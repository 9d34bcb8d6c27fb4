import type { Network } from '@slipway/client'

export type Mechanic = 'bondingCurve' | 'launchpool'

/** The entered text of each field. An empty field has the value that its hint says. */
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
  /** The address of the agent that launches the token. Empty: the wallet itself. */
  agent: string
  /** Whether the token becomes the agent's own. */
  agentToken: 'no' | 'yes'
  /** Who gets what an agent's launch earns. */
  earner: 'wallet' | 'agent'
  mechanic: Mechanic
  /** Whole tokens. */
  supply: string
  /** The SOL that buys a whole curve. */
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

/** Who gets what the launch earns, at the beginning of a sentence. */
export const nameEarner = ({ agent, earner }: Draft): string =>
  agent !== '' && earner === 'agent' ? 'The agent’s wallet' : 'Your wallet'

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
  agent: '',
  agentToken: 'no',
  earner: 'wallet',
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
  agentToken: ['no', 'yes'],
  earner: ['wallet', 'agent'],
  mechanic: ['bondingCurve', 'launchpool'],
  lock: ['forever', 'year'],
} satisfies { [Name in FieldName]?: Draft[Name][] }
