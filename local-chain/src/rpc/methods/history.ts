import type { Chain } from '../../ledger/create-chain.ts'
import type { LandedTransaction } from '../../ledger/history.ts'
import { SLOTS_TO_FINALITY } from '../../ledger/slot-clock.ts'
import { encodeTransaction, type TransactionEncoding } from '../encode-transaction.ts'
import { invalidParams } from '../errors.ts'
import type { Method } from '../method.ts'
import { booleanOf, type Config, commitmentOf, readAt, toSignature, withContext } from '../params.ts'

const STATUSES_MAX = 256
const SIGNATURES_MAX = 1_000
const RECENT_SLOTS = 150
const ENCODINGS = ['json', 'jsonParsed', 'base64', 'base58']

export const historyMethods: Record<string, Method> = {
  getSignatureStatuses({ chain }, params) {
    const list = params.array(0)
    if (list.length > STATUSES_MAX) throw invalidParams(`Too many inputs provided; max ${STATUSES_MAX}`)
    const signatures = list.map(toSignature)
    const everything = booleanOf(params.config(1), 'searchTransactionHistory')
    const value = signatures.map(signature => {
      const tx = chain.history.get(signature)
      if (!tx || (!everything && chain.clock.slot() - tx.slot > RECENT_SLOTS)) return null
      const confirmations = chain.clock.slot() - tx.slot
      return {
        confirmationStatus: statusOf(chain, tx),
        confirmations: confirmations >= SLOTS_TO_FINALITY ? null : confirmations,
        err: tx.err,
        slot: tx.slot,
        status: tx.err === null ? { Ok: null } : { Err: tx.err },
      }
    })
    return withContext(chain, 'processed', value)
  },

  getTransaction({ chain }, params) {
    const signature = toSignature(params.string(0))
    // Older clients name the encoding itself instead of a configuration.
    const config: Config = typeof params.raw(1) === 'string' ? { encoding: params.raw(1) } : params.config(1)
    const encoding = (config.encoding ?? 'json') as TransactionEncoding
    if (!ENCODINGS.includes(encoding)) {
      throw invalidParams(
        `Invalid params: unknown variant \`${String(encoding)}\`, expected one of \`binary\`, \`base64\`, \`base58\`, \`json\`, \`jsonParsed\`.`,
      )
    }
    const newest = chain.slotAt(atLeastConfirmed(config))
    const tx = chain.history.get(signature)
    if (!tx || tx.slot > newest) return null
    return {
      blockTime: chain.clock.unixTime(tx.slot),
      slot: tx.slot,
      ...encodeTransaction(tx, encoding, config.maxSupportedTransactionVersion),
    }
  },

  getSignaturesForAddress({ chain }, params) {
    const address = params.address(0)
    const config = params.config(1)
    atLeastConfirmed(config)
    const commitment = readAt(chain, config)
    const limit = config.limit ?? SIGNATURES_MAX
    if (typeof limit !== 'number' || limit < 1 || limit > SIGNATURES_MAX) {
      throw invalidParams(`Invalid limit; max ${SIGNATURES_MAX}`)
    }
    const before = config.before === undefined ? undefined : toSignature(config.before)
    const until = config.until === undefined ? undefined : toSignature(config.until)
    const newest = chain.slotAt(commitment)
    const all = chain.history.ofAddress(address)
    // A `before` that is not of this address (or not known) has nothing behind it.
    let at = before === undefined ? all.length : all.lastIndexOf(before)
    const found: object[] = []
    while (--at >= 0 && found.length < limit) {
      const signature = all[at] as string
      if (signature === until) break
      const tx = chain.history.get(signature)
      if (!tx || tx.slot > newest) continue
      found.push({
        blockTime: chain.clock.unixTime(tx.slot),
        confirmationStatus: statusOf(chain, tx),
        err: tx.err,
        memo: memoOf(tx),
        signature,
        slot: tx.slot,
      })
    }
    return found
  },
}

function atLeastConfirmed(config: Config) {
  const commitment = commitmentOf(config)
  if (commitment === 'processed') throw invalidParams('Method does not support commitment below `confirmed`')
  return commitment
}

/** One node, whose vote is the whole cluster's: what has run is confirmed. */
const statusOf = (chain: Chain, tx: LandedTransaction) =>
  tx.slot <= chain.clock.finalizedSlot() ? 'finalized' : 'confirmed'

function memoOf(tx: LandedTransaction): string | null {
  const memos = tx.logs.flatMap(line => {
    const found = /^Program log: Memo \(len (\d+)\): "(.*)"$/.exec(line)
    return found ? [`[${found[1]}] ${found[2]}`] : []
  })
  return memos.length > 0 ? memos.join('; ') : null
}
