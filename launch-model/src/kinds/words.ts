import type { BucketKind as ListedKind } from '@slipway/schema/launch'

/** The words that pages use for a kind of bucket. This file imports no layouts, so that a page needn't load them. */
export interface Words {
  /** As a heading. */
  title: string
  /** In a sentence, after “the”. */
  noun: string
  /** What it means for those who take part. Only kinds that sell have one. */
  explanation?: string
  /** What the progress of a sale is a share of, after a percentage. */
  progress?: string
  /** What it is called among the sources of a creator's rewards. */
  source?: string
  /** Whether funds are raised, and the price is known at the end. Otherwise every trade has a price. */
  raises?: boolean
  /** Whether each depositor's share depends on all deposits until the end. */
  isShared?: boolean
}

export const WORDS: Record<ListedKind | 'unlockedV2', Words> = {
  launchpoolV2: {
    title: 'Launch pool',
    noun: 'launch pool',
    explanation: 'Everyone who deposits before the pool closes gets a share in proportion.',
    progress: 'of the goal',
    raises: true,
    isShared: true,
  },
  presaleV2: {
    title: 'Presale',
    noun: 'presale',
    explanation: 'Tokens are sold at a fixed price until the cap is reached.',
    progress: 'of the cap',
    raises: true,
  },
  bondingCurveV2: {
    title: 'Bonding curve',
    noun: 'bonding curve',
    explanation: 'Anyone can buy and sell at a price that follows a curve.',
    progress: 'of the tokens sold',
    source: 'Bonding curve',
  },
  raydiumCpmmV2: {
    title: 'Liquidity pool',
    noun: 'liquidity pool',
    source: 'Liquidity pool, after graduation',
  },
  unlockedV2: { title: 'Unlocked tokens', noun: 'unlocked bucket' },
}

/** The words for a kind that a newer service may have and this page doesn't know. */
export const wordsOf = (kind: string): Words =>
  (WORDS as Partial<Record<string, Words>>)[kind] ?? { title: kind, noun: kind }
