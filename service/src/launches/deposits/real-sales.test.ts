import { triggerConditionsV2 } from '@metaplex-foundation/genesis'
import { UNITS } from '@slipway/launch-model/plan-deposit'
import { readPrograms, testRealPrograms } from '@slipway/local-chain/testing/real-programs'
import { expect } from 'vitest'
import { runRandomSale, settle } from './test-random-sale.ts'
import { SOL, startSale, TIMES } from './test-sale.ts'
import { SALE_CASES } from './test-sale-cases.ts'

const NEEDED = { programs: ['Genesis' as const, 'Token Metadata' as const, 'MPL Core' as const] }
const ALLOCATION = 800_000_000_000_000n
const PRESALE_CAP = 10n * SOL
/** The token program of these chains is cheaper than that of others: 10,000 for each instruction. */
const TOKEN_UNITS = { deposit: 130_000, withdraw: 60_000, claim: 20_000, refund: 50_000 }

for (const { name, kind, extensions, triggersFirst, misses, meets } of SALE_CASES)
  testRealPrograms(
    `random deposits, withdrawals and claims in ${name} do what the answers say on the real programs, and leave only dust`,
    async () => {
      const seen: Record<string, number> = {}
      for (const seed of [1, 2, 3]) {
        const sale = await startSale({ programs: readPrograms(...NEEDED.programs), kind, extensions })
        if (triggersFirst) {
          const { genesisAccount, pool: bucket, mint: baseMint } = sale.launch
          sale.advanceTo(TIMES.start)
          await sale.run(triggerConditionsV2(sale.umi, { genesisAccount, bucket, baseMint }))
        }
        const { counts, most, actors } = await runRandomSale(sale, seed, 50)
        for (const [code, count] of Object.entries(counts)) seen[code] = (seen[code] ?? 0) + count
        for (const [what, units] of Object.entries(most))
          expect([what, units]).toEqual([what, withinHalf(what, units)])

        // Payouts are rounded down. A presale keeps its unsold tokens, and a launch that missed its goal keeps all.
        const { deposited, tokens, quote, holders } = await settle(sale, actors)
        const unsold = kind === 'presaleV2' ? ALLOCATION - (ALLOCATION * deposited) / PRESALE_CAP : 0n
        const dust = tokens - (misses ? ALLOCATION : unsold)
        expect([seed, dust >= 0n && dust <= BigInt(misses ? 0 : holders)]).toEqual([seed, true])
        expect(quote).toBe(0n)
      }
      for (const code of meets) expect([code, seen[code] ?? 0]).not.toEqual([code, 0])
    },
    NEEDED,
  )

/** The figure itself, if a limit is at least twice as high. */
function withinHalf(what: string, units: number): number {
  const [action, by] = what.split(' ') as [keyof typeof TOKEN_UNITS, 'wallet' | 'agent']
  const limit = UNITS[action]
  const ceiling = typeof limit === 'number' ? limit : limit[by]
  return Math.min(units, (ceiling - TOKEN_UNITS[action]) / 2)
}
