import { SlipwayError } from '@slipway/client'
import { BLOCKS_TO_EXPIRY } from '@slipway/launch-model/expiry'
import { decodeBase64 } from '../lib/base64.ts'
import type { PriceImpact } from '../lib/price-impact.ts'
import { fetchBlockHeight, fetchRent } from '../lib/rpc.ts'
import { assertDecimals } from '../transactions/check-decimals.ts'
import { assertEarlierSteps } from '../transactions/check-earlier-steps.ts'
import { assertPrice } from '../transactions/check-price.ts'
import { assertRefills } from '../transactions/check-refills.ts'
import { decodeTransaction } from '../transactions/decode-transaction.ts'
import type { Outlook } from '../transactions/intent.ts'
import { readOutlook } from '../transactions/read-deposit.ts'
import { type Review, reviewTransactions, UnexpectedTransactionError } from '../transactions/review.ts'
import { simulateTransaction } from '../transactions/simulate.ts'
import type { WalletAccount } from '../wallet/wallet-store.ts'
import { type Action, type BuiltAction, NotNowError } from './action.ts'
import type { Row } from './action-state.ts'

/** What each transaction does, from its own bytes, and what a simulation says. */
export async function checkTransactions(
  { transactions, intent, groups }: BuiltAction,
  {
    account,
    rpcUrl,
    signal,
    network,
    inOrder,
  }: { account: WalletAccount; rpcUrl: string; signal: AbortSignal } & Pick<Action, 'network' | 'inOrder'>,
): Promise<{ rows: Row[]; impact: PriceImpact | undefined; outlook: Outlook | undefined }> {
  const wires = transactions.map(decodeBase64)
  const rent =
    intent.kind === 'deposit'
      ? await fetchRent(rpcUrl, signal).catch(failed => {
          throw unreachable(failed)
        })
      : undefined
  const reviews = await reviewTransactions(wires, intent, account.address as never, rent)
  const [impact, outlook] = await Promise.all([
    assertPrice({ rpcUrl, network, signal }, intent, account.address),
    readOutlook({ rpcUrl, signal }, wires, intent, account.address),
    assertDecimals(rpcUrl, intent, signal),
    assertEarlierSteps(rpcUrl, reviews, signal),
  ]).catch(error => {
    const isFound = error instanceof UnexpectedTransactionError || error instanceof SlipwayError
    throw isFound ? error : unreachable(error)
  })
  await assertRefills(rpcUrl, reviews, signal)
  const rows = wires.map(async (wire, at): Promise<Row> => {
    const group = groups?.[at]
    const row: Row = { review: reviews[at] as Review, state: 'ready', ...(group && { group }) }
    if (inOrder && at > 0) return row
    const { writable } = decodeTransaction(wire)
    const wallet = account.address as (typeof writable)[number]
    return { ...row, simulation: await simulateTransaction(rpcUrl, wire, wallet, signal, writable) }
  })
  return { rows: await Promise.all(rows), impact, outlook }
}

/**
 * The block height at which a transaction that exists now has expired for certain. The service names one too, but a
 * wrong one would make the page say that a transaction was not executed although it was.
 */
export async function fetchLastHeight(rpcUrl: string, signal: AbortSignal): Promise<number> {
  try {
    return (await fetchBlockHeight(rpcUrl, signal)) + BLOCKS_TO_EXPIRY
  } catch (cause) {
    throw unreachable(cause)
  }
}

const unreachable = (cause: unknown) =>
  new NotNowError('The chain is not answering, so nothing can be sent now.', { cause })
