import type { Chain } from '../../ledger/create-chain.ts'
import { BLOCKHASHES_VALID, SLOTS_PER_EPOCH } from '../../ledger/slot-clock.ts'
import { encodeAccountsOnly, encodeTransaction, transactionEncoding } from '../encode-transaction.ts'
import { blockNotAvailable, invalidParams } from '../json-rpc.ts'
import type { Methods } from '../params.ts'
import {
  type Config,
  confirmedCommitmentOf,
  resolveCommitment,
  resolveConfirmedCommitment,
  unknownVariant,
  withContext,
} from '../params.ts'

const BLOCK_RANGE_MAX = 500_000

export const blockMethods: Methods = {
  getLatestBlockhash({ chain }, params) {
    const commitment = resolveCommitment(chain, params.config(0))
    const slot = chain.slotAt(commitment)
    return withContext(chain, commitment, {
      blockhash: chain.clock.blockhash(slot),
      lastValidBlockHeight: slot + BLOCKHASHES_VALID,
    })
  },

  isBlockhashValid({ chain }, params) {
    // A blockhash has the same format as an address.
    const hash = params.address(0)
    const commitment = resolveCommitment(chain, params.config(1))
    const at = chain.clock.validSlotOf(hash)
    return withContext(chain, commitment, at !== undefined && at <= chain.slotAt(commitment))
  },

  getSlot: ({ chain }, params) => chain.slotAt(resolveCommitment(chain, params.config(0))),
  getBlockHeight: ({ chain }, params) => chain.slotAt(resolveCommitment(chain, params.config(0))),

  getBlockTime({ chain }, params) {
    const slot = params.u64(0)
    if (slot > chain.clock.slot()) throw blockNotAvailable(slot)
    return chain.clock.unixTime(slot)
  },

  getBlocks({ chain }, params) {
    const start = params.u64(0)
    const hasEnd = typeof params.raw(1) === 'number'
    const newest = chain.slotAt(resolveConfirmedCommitment(chain, params.config(hasEnd ? 2 : 1)))
    const end = Math.min(newest, hasEnd ? params.u64(1) : newest)
    if (end - start > BLOCK_RANGE_MAX) throw invalidParams(`Slot range too large; max ${BLOCK_RANGE_MAX}`)
    return range(start, end)
  },

  getBlocksWithLimit({ chain }, params) {
    const start = params.u64(0)
    const limit = params.u64(1)
    if (limit > BLOCK_RANGE_MAX) throw invalidParams(`Limit too large; max ${BLOCK_RANGE_MAX}`)
    const newest = chain.slotAt(resolveConfirmedCommitment(chain, params.config(2)))
    return range(start, Math.min(newest, start + limit - 1))
  },

  getBlock({ chain }, params) {
    const slot = params.u64(0)
    const config = params.config(1)
    if (slot > chain.slotAt(confirmedCommitmentOf(config))) throw blockNotAvailable(slot)
    return {
      blockHeight: slot,
      blockTime: chain.clock.unixTime(slot),
      blockhash: chain.clock.blockhash(slot),
      parentSlot: Math.max(0, slot - 1),
      previousBlockhash: chain.clock.blockhash(Math.max(0, slot - 1)),
      ...blockBody(chain, slot, config),
    }
  },

  getEpochInfo({ chain }, params) {
    const slot = chain.slotAt(resolveCommitment(chain, params.config(0)))
    return {
      absoluteSlot: slot,
      blockHeight: slot,
      epoch: Math.floor(slot / SLOTS_PER_EPOCH),
      slotIndex: slot % SLOTS_PER_EPOCH,
      slotsInEpoch: SLOTS_PER_EPOCH,
      transactionCount: chain.history.count(),
    }
  },

  getFirstAvailableBlock: () => 0,
  minimumLedgerSlot: () => 0,
}

function blockBody(chain: Chain, slot: number, config: Config) {
  const encoding = transactionEncoding(config)
  const signatures = chain.history.inSlot(slot)
  const transactions = () => signatures.flatMap(signature => chain.history.get(signature) ?? [])
  const versionMax = config.maxSupportedTransactionVersion
  const rewards = config.rewards === false ? {} : { rewards: [] }
  switch (config.transactionDetails ?? 'full') {
    case 'none':
      return rewards
    case 'signatures':
      return { ...rewards, signatures }
    case 'full':
      return {
        ...rewards,
        transactions: transactions().map(tx => encodeTransaction(tx, encoding, versionMax)),
      }
    case 'accounts':
      return { ...rewards, transactions: transactions().map(tx => encodeAccountsOnly(tx, versionMax)) }
  }
  throw unknownVariant(config.transactionDetails, 'full', 'signatures', 'none', 'accounts')
}

const range = (start: number, end: number): number[] =>
  end < start ? [] : Array.from({ length: end - start + 1 }, (_, at) => start + at)
