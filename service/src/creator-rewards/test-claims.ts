import type { LocalChain } from '@slipway/local-chain'
import type { ClaimResult } from '@slipway/schema/creator-rewards'
import type { ConnectionOptions } from '../store/database.ts'
import { postJson } from '../testing/demo-launches.ts'
import { runSql } from '../testing/test-database.ts'

export const NO_REWARDS = { status: 400, body: { error: { message: 'No rewards available to claim' } } }

export const postClaim = (url: string, body: unknown): Promise<{ status: number; body: unknown }> =>
  postJson(`${url}/v1/creator-rewards/claim`, body)

/** Claims, and throws unless it succeeds. */
export async function claim(url: string, body: object): Promise<ClaimResult> {
  const { status, body: answer } = await postClaim(url, body)
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(answer)}`)
  return (answer as { data: ClaimResult }).data
}

export async function getRewards(url: string, wallet: string, query = '') {
  const response = await fetch(`${url}/v1/creator-rewards/${wallet}${query}`)
  return { status: response.status, headers: response.headers, body: (await response.json()) as never }
}

/** Records that the index has just reached the chain's current slot. It may lack the newest agents. */
export const recordIndex = (
  connection: ConnectionOptions,
  { chain }: Pick<LocalChain, 'chain'>,
  isComplete = true,
) =>
  runSql(
    connection,
    `INSERT INTO chain_progress (network, slot, is_complete, has_deposits, updated_at)
     VALUES ('chain-mainnet', ${chain.slotAt('confirmed')}, ${isComplete}, true, now() - interval '15 seconds')
     ON CONFLICT (network) DO UPDATE SET is_complete = excluded.is_complete, has_deposits = true`,
  )
