import { expect, test } from 'vitest'
import { EMPTY_DRAFT } from './draft.ts'
import { describeCreatorShare, describeDraftTerms } from './preview.tsx'

test('a launch pool says what depositors, the pool and the creator get, of the tokens and of the money', () => {
  const pool = { ...EMPTY_DRAFT, mechanic: 'launchpool' } as const
  expect(describeDraftTerms(pool)).toEqual({
    tokens: [
      { share: 0.6, text: 'shared by everyone who deposits' },
      { share: 0.3, text: 'into the liquidity pool, locked for good' },
      { share: 0.1, text: 'to your wallet, after graduation' },
    ],
    money: [
      { share: 0.5, text: 'into the liquidity pool' },
      { share: 0.5, text: 'to your wallet' },
    ],
  })
  const ofAgent = { ...pool, agent: 'agent', earner: 'agent', lock: 'year' } as const
  expect(describeDraftTerms(ofAgent)?.tokens.map(({ text }) => text)).toEqual([
    'shared by everyone who deposits',
    'into the liquidity pool, locked, and released over 1 year',
    'to the agent’s wallet, after graduation',
  ])
  expect(describeDraftTerms({ ...pool, poolShare: '50', liquidityShare: '100' })).toMatchObject({
    tokens: [{ share: 0.5 }, { share: 0.5 }],
    money: [{ share: 1 }],
  })
})

test('a creator reads what buyers see of their share, if there is one', () => {
  const pool = { ...EMPTY_DRAFT, mechanic: 'launchpool' } as const
  expect(describeCreatorShare(pool)).toBe('your wallet gets 10% of the tokens and 50% of the money raised.')
  expect(describeCreatorShare({ ...pool, liquidityShare: '60', poolShare: '62.5' })).toBe(
    'your wallet gets 40% of the money raised.',
  )
  expect(describeCreatorShare({ ...pool, poolShare: '50', liquidityShare: '100' })).toBeUndefined()
})

test('a curve sells a part, and everything that it raises goes into the pool', () => {
  const terms = describeDraftTerms(EMPTY_DRAFT)
  expect(terms?.tokens.map(({ share }) => share.toFixed(3))).toEqual(['0.718', '0.282'])
  expect(terms?.money).toEqual([{ share: 1, text: 'into the liquidity pool' }])
})

test('terms that don’t add up are not shown', () => {
  expect(describeDraftTerms({ ...EMPTY_DRAFT, raise: 'much' })).toBeUndefined()
  const tooMuch = { ...EMPTY_DRAFT, mechanic: 'launchpool', poolShare: '80', liquidityShare: '50' } as const
  expect(describeDraftTerms(tooMuch)).toBeUndefined()
})
