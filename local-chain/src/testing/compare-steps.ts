import { Key } from '@metaplex-foundation/genesis'
import type { TransactionBuilder } from '@metaplex-foundation/umi'
import { expect } from 'vitest'
import { TOKEN_PROGRAM } from '../ledger/account.ts'
import { GENESIS } from '../programs/genesis/checks.ts'
import type { startLaunchPool } from './launch-pool.ts'
import { custom } from './umi-wallet.ts'

export type World = ReturnType<typeof startLaunchPool>
export type Step = {
  readonly name: string
  readonly build: (world: World) => TransactionBuilder
  /** The Unix time to set the clock to before the step. */
  readonly at?: number
  /** The expected refusal: a program's error code or Solana's own name for it. Null if the step must succeed. */
  readonly error?: number | string | null
}

/**
 * Runs the same steps on the stand-in and on the real program. Results and all accounts must be the same after each.
 */
export async function compareSteps(worlds: readonly [World, World], steps: readonly Step[]) {
  const outcomes = { succeeded: 0, refused: 0 }
  for (const { name, build, at, error } of steps) {
    const results = []
    if (at !== undefined) for (const world of worlds) world.advanceTo(at)
    // Both worlds have the same keys and, after each step, the same accounts.
    const builder = build(worlds[0])
    for (const world of worlds) {
      const ran = await world.send(builder)
      const accounts = touched(world, ran.keys?.keys ?? [])
      results.push({ name, err: ran.err, transfers: tokenTransfers(ran), accounts })
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

/** What a transaction transferred, by source and destination: indexers read trades from these transfers. */
export function tokenTransfers({ err, inner, keys }: Awaited<ReturnType<World['send']>>) {
  const sums: Record<string, bigint> = {}
  for (const { programIndex, accounts, data } of err === null ? inner.flat() : []) {
    const isTransfer = data[0] === 3 || data[0] === 12
    if (keys?.keys[programIndex] !== TOKEN_PROGRAM || !isTransfer) continue
    const amount = new DataView(data.buffer, data.byteOffset).getBigUint64(1, true)
    // Transfer has three accounts, TransferChecked four.
    const path = accounts.map(at => keys?.keys[at]).join(' ')
    if (amount > 0n) sums[path] = (sums[path] ?? 0n) + amount
  }
  return sums
}

/** Every account that a transaction named, except programs. */
function touched({ chain }: World, keys: readonly string[]) {
  return keys.flatMap(key => {
    const account = chain.account(key as never)
    if (!account || account.executable) return []
    const data = Uint8Array.from(account.data)
    // The older program leaves the mints of a bucket empty.
    const mints = MINT_OFFSETS[account.owner === GENESIS ? (data[0] ?? 0) : 0]
    if (mints !== undefined) data.fill(0, mints, mints + 64)
    // It also marks a presale without a stepped limit with different bytes from today's client.
    if (account.owner === GENESIS && data[0] === Key.PresaleBucketV2) data.fill(0, 808, 848)
    return [{ key, ...account, data: Buffer.from(data).toString('hex') }]
  })
}
const MINT_OFFSETS: Record<number, number> = { 19: 48 + 72, 21: 16 + 72, 26: 80 + 72 }
