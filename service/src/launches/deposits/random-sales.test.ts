import { expect, test } from 'vitest'
import { runRandomSale, settle } from './test-random-sale.ts'
import { SOL, startSale } from './test-sale.ts'
import { goal, limit, minimum, vesting } from './test-sale-cases.ts'

const ALLOCATION = 800_000_000_000_000n
const CASES = {
  'a pool that vests': { kind: 'launchpoolV2' as const, extensions: [minimum, limit, vesting], kept: 0n },
  'a pool that misses its goal': {
    kind: 'launchpoolV2' as const,
    extensions: [limit, goal(1_000n * SOL)],
    kept: ALLOCATION,
  },
  'a presale': { kind: 'presaleV2' as const, extensions: [minimum, limit], kept: undefined },
}

test.each(Object.keys(CASES) as (keyof typeof CASES)[])(
  'random deposits, withdrawals and claims in %s do what the answers say, refused ones would fail, and only dust is left',
  async name => {
    const { kind, extensions, kept } = CASES[name]
    const sale = await startSale({ kind, extensions })
    const { counts, actors } = await runRandomSale(sale, 5, 20)
    expect(counts.deposit).toBeGreaterThan(3)
    expect(counts.ABOVE_LIMIT).toBeGreaterThan(0)
    const { tokens, deposited, quote, holders } = await settle(sale, actors, [0, 900, 901])
    const unsold = kept ?? ALLOCATION - (ALLOCATION * deposited) / (10n * SOL)
    expect(quote).toBe(0n)
    expect(tokens - unsold >= 0n && tokens - unsold <= BigInt(holders)).toBe(true)
  },
)
