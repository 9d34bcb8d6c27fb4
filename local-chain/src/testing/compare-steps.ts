import type { TransactionBuilder } from '@metaplex-foundation/umi'
import { expect } from 'vitest'
import { GENESIS } from '../programs/genesis/checks.ts'
import type { startLaunchPool } from './launch-pool.ts'
import { custom } from './umi-wallet.ts'

export type World = ReturnType<typeof startLaunchPool>
export type Step = {
  readonly name: string
  readonly build: (world: World) => TransactionBuilder
  /** Unix time to which the clock moves first. */
  readonly at?: number
  /** The refusal that is expected: a program's code, Solana's own name for it, or none. */
  readonly error?: number | string | null
}

/** Runs the same steps on the stand-in and on the real program. Results and all accounts must be the same after each. */
export async function compareSteps(worlds: readonly [World, World], steps: readonly Step[]) {
  const outcomes = { succeeded: 0, refused: 0 }
  for (const { name, build, at, error } of steps) {
    const results = []
    for (const world of worlds) {
      if (at !== undefined) world.advanceTo(at)
      const { err, keys } = await world.send(build(world))
      results.push({ name, err, accounts: touched(world, keys?.keys ?? []) })
    }
    const [standIn, real] = results
    expect(standIn).toEqual(real)
    if (error !== undefined) expect(real?.err, name).toEqual(asError(error))
    outcomes[real?.err === null ? 'succeeded' : 'refused']++
  }
  return outcomes
}

export const asError = (error: number | string | null) =>
  typeof error === 'number' ? custom(error) : error === null ? null : { InstructionError: [0, error] }

/** Every account that a transaction named, except programs. */
function touched({ chain }: World, keys: readonly string[]) {
  return keys.flatMap(key => {
    const account = chain.account(key as never)
    if (!account || account.executable) return []
    const data = Uint8Array.from(account.data)
    // The older program leaves the mints of a bucket empty.
    const mints = MINT_OFFSETS[account.owner === GENESIS ? (data[0] ?? 0) : 0]
    if (mints !== undefined) data.fill(0, mints, mints + 64)
    return [{ key, ...account, data: Buffer.from(data).toString('hex') }]
  })
}
const MINT_OFFSETS: Record<number, number> = { 21: 16 + 72, 26: 80 + 72 }
