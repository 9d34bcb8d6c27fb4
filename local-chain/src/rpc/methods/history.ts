import type { Chain } from '../../ledger/create-chain.ts'
import type { LandedTransaction } from '../../ledger/history.ts'
import { parseTransaction } from '../../ledger/parse-transaction.ts'
import { encodeTransaction, transactionEncoding } from '../encode-transaction.ts'
import { filterTransactionNotFound, invalidParams } from '../json-rpc.ts'
import type { Methods } from '../params.ts'
import {
  booleanOf,
  type Config,
  confirmedCommitmentOf,
  resolveConfirmedCommitment,
  toSignature,
  withContext,
} from '../params.ts'

const STATUSES_MAX = 256
const SIGNATURES_MAX = 1_000
const RECENT_SLOTS = 150

export const historyMethods: Methods = {
  getSignatureStatuses({ chain }, params) {
    const list = params.array(0)
    if (list.length > STATUSES_MAX) throw invalidParams(`Too many inputs provided; max ${STATUSES_MAX}`)
    const signatures = list.map(toSignature)
    const searchHistory = booleanOf(params.config(1), 'searchTransactionHistory')
    const value = signatures.map(signature => {
      const tx = chain.history.get(signature)
      if (!tx || (!searchHistory && chain.clock.slot() - tx.slot > RECENT_SLOTS)) return null
      const status = statusOf(chain, tx)
      return {
        confirmationStatus: status,
        confirmations: status === 'finalized' ? null : chain.clock.slot() - tx.slot,
        err: tx.err,
        slot: tx.slot,
        status: tx.err === null ? { Ok: null } : { Err: tx.err },
      }
    })
    return withContext(chain, 'processed', value)
  },

  getTransaction({ chain }, params) {
    const signature = toSignature(params.string(0))
    // Older clients pass the encoding instead of a configuration object.
    const config: Config = typeof params.raw(1) === 'string' ? { encoding: params.raw(1) } : params.config(1)
    const encoding = transactionEncoding(config)
    const newest = chain.slotAt(confirmedCommitmentOf(config))
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
    const commitment = resolveConfirmedCommitment(chain, config)
    const limit = config.limit ?? SIGNATURES_MAX
    if (typeof limit !== 'number' || limit < 1 || limit > SIGNATURES_MAX) {
      throw invalidParams(`Invalid limit; max ${SIGNATURES_MAX}`)
    }
    const before = knownSignature(chain, config.before)
    const until = knownSignature(chain, config.until)
    const newest = chain.slotAt(commitment)
    const found: object[] = []
    for (const tx of chain.history.ofAddress(address, { before, until })) {
      if (found.length >= limit) break
      if (tx.slot > newest) continue
      found.push({
        blockTime: chain.clock.unixTime(tx.slot),
        confirmationStatus: statusOf(chain, tx),
        err: tx.err,
        memo: memoOf(tx),
        signature: tx.signature,
        slot: tx.slot,
      })
    }
    return found
  },
}

function knownSignature(chain: Chain, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  const signature = toSignature(value)
  if (!chain.history.get(signature)) throw filterTransactionNotFound(signature)
  return signature
}

/** This node is the whole cluster, so every transaction that has run is confirmed. */
const statusOf = (chain: Chain, tx: LandedTransaction) =>
  tx.slot <= chain.clock.finalizedSlot() ? 'finalized' : 'confirmed'

const MEMO_PROGRAMS: readonly (string | undefined)[] = [
  'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo',
  'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
]
const utf8 = new TextDecoder('utf-8', { fatal: true })

function memoOf({ keys, wire }: LandedTransaction): string | null {
  if (!keys.some(key => MEMO_PROGRAMS.includes(key))) return null
  const memos = parseTransaction(wire).instructions.flatMap(({ programIndex, data }) =>
    MEMO_PROGRAMS.includes(keys[programIndex]) ? [`[${data.length}] ${textOf(data)}`] : [],
  )
  return memos.length > 0 ? memos.join('; ') : null
}

function textOf(data: Uint8Array): string {
  try {
    return utf8.decode(data)
  } catch {
    return '(unparseable)'
  }
}
