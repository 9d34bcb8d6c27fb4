import { SLOTS_PER_EPOCH } from '../../ledger/slot-clock.ts'
import { invalidParams } from '../json-rpc.ts'
import type { Methods } from '../params.ts'
import { API_VERSION, resolveCommitment, withContext } from '../params.ts'

// The identity of the only node. Clients only need it to be an address.
const IDENTITY = 'SLipwayNode11111111111111111111111111111111'
const LEADERS_MAX = 5_000
const SAMPLES_MAX = 720
const SAMPLE_SECONDS = 60

export const clusterMethods: Methods = {
  getHealth: () => 'ok',
  getVersion: () => ({ 'feature-set': 3640012085, 'solana-core': API_VERSION }),
  getIdentity: () => ({ identity: IDENTITY }),
  getGenesisHash: ({ chain }) => chain.genesisHash(),
  getSlotLeader: () => IDENTITY,
  getSlotLeaders(_, params) {
    params.u64(0)
    const limit = params.u64(1)
    if (limit > LEADERS_MAX) throw invalidParams(`Invalid limit; max ${LEADERS_MAX}`)
    return Array.from({ length: limit }, () => IDENTITY)
  },
  getClusterNodes: () => [],
  getVoteAccounts: () => ({ current: [], delinquent: [] }),
  getTransactionCount: ({ chain }) => chain.history.count(),

  getEpochSchedule: () => ({
    firstNormalEpoch: 0,
    firstNormalSlot: 0,
    leaderScheduleSlotOffset: SLOTS_PER_EPOCH,
    slotsPerEpoch: SLOTS_PER_EPOCH,
    warmup: false,
  }),

  getRecentPerformanceSamples({ chain }, params) {
    const limit = params.raw(0) === undefined ? SAMPLES_MAX : params.u64(0)
    if (limit > SAMPLES_MAX) throw invalidParams(`Invalid limit; max ${SAMPLES_MAX}`)
    const numSlots = Math.round((SAMPLE_SECONDS * 1_000) / chain.conditions.slotMs)
    const newest = chain.clock.slot() - (chain.clock.slot() % numSlots)
    return Array.from({ length: limit }, (_, at) => {
      const slot = newest - at * numSlots
      let numTransactions = 0
      for (let of = slot; of > slot - numSlots; of--) numTransactions += chain.history.inSlot(of).length
      // There are no votes here.
      return {
        numNonVoteTransactions: numTransactions,
        numSlots,
        numTransactions,
        samplePeriodSecs: SAMPLE_SECONDS,
        slot,
      }
    })
  },

  getRecentPrioritizationFees({ chain }) {
    const newest = chain.clock.slot()
    return Array.from({ length: 150 }, (_, at) => ({ prioritizationFee: 0, slot: newest - 149 + at }))
  },

  getSupply({ chain }, params) {
    const commitment = resolveCommitment(chain, params.config(0))
    return withContext(chain, commitment, {
      circulating: 600_000_000_000_000_000n,
      nonCirculating: 0,
      nonCirculatingAccounts: [],
      total: 600_000_000_000_000_000n,
    })
  },
}
