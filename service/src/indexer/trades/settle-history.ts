import type { ChainCalls } from '../../chain/rpc/create-rpc.ts'
import { STATUSES_MAX } from '../../chain/rpc/transactions.ts'
import type { HistoryProgress } from '../../store/trade-progress.ts'
import type { HistoryMark } from '../../store/trade-progress-table.ts'
import type { RpcBudget } from './rpc-budget.ts'

export type SettleRpc = Pick<ChainCalls, 'fetchStatuses' | 'confirmDropped'>

/**
 * After this many slots, a transaction is final or was dropped: finality takes 32 slots, however long they are. Before a
 * transaction counts as dropped, every endpoint must confirm that.
 */
const SLOTS_TO_FINALITY = 100

/** Whether newer transactions show that this one must be final or dropped by now. */
export function isSettlingDue({ recent, settled }: Pick<HistoryProgress, 'recent' | 'settled'>): boolean {
  const slots = recent.map(({ slot }) => slot)
  return Math.max(settled?.slot ?? 0, ...slots) - Math.min(...slots) > SLOTS_TO_FINALITY
}

/**
 * Checks transactions that were not final yet. Returns those that a fork has dropped or moved to another slot: their
 * trades have to be removed, and the history since then is read again.
 */
export async function settleHistory(
  { rpc, budget }: { rpc: SettleRpc; budget: RpcBudget },
  before: HistoryProgress,
): Promise<{ progress: HistoryProgress; undone: string[] }> {
  const asked = before.recent.toSorted((a, b) => a.slot - b.slot).slice(0, STATUSES_MAX)
  await budget.take()
  const { slot, statuses } = await rpc.fetchStatuses(asked.map(({ signature }) => signature))
  const settledSlot = before.settled?.slot ?? 0
  const done = new Set<HistoryMark>()
  const moved: HistoryMark[] = []
  const unknown: HistoryMark[] = []
  asked.forEach((mark, at) => {
    const status = statuses[at]
    if (!status) {
      if (slot - mark.slot > SLOTS_TO_FINALITY) unknown.push(mark)
    } else if (!status.isFinal) return
    else if (status.slot !== mark.slot) moved.push(mark)
    // Newer ones are still needed to tell which transactions are new.
    else if (mark.slot <= settledSlot) done.add(mark)
  })
  const undone = [...moved, ...(await findDropped(rpc, budget, unknown))]
  for (const mark of undone) done.add(mark)
  const gone = new Set<string | null>(undone.map(({ signature }) => signature))
  return {
    progress: {
      ...before,
      unreadable: before.unreadable.filter(({ signature }) => !gone.has(signature)),
      recent: before.recent.filter(mark => !done.has(mark)),
      settled: undone.length === 0 ? before.settled : rewound(before, undone),
    },
    undone: undone.map(({ signature }) => signature),
  }
}

async function findDropped(
  rpc: SettleRpc,
  budget: RpcBudget,
  marks: readonly HistoryMark[],
): Promise<HistoryMark[]> {
  if (marks.length === 0) return []
  await budget.take()
  const dropped = new Set(await rpc.confirmDropped(marks.map(({ signature }) => signature)))
  return marks.filter(({ signature }) => dropped.has(signature))
}

/** The winning fork may have other transactions in the slots around these. */
function rewound({ settled }: HistoryProgress, undone: readonly HistoryMark[]): HistoryProgress['settled'] {
  const slot = Math.max(0, Math.min(...undone.map(mark => mark.slot)) - SLOTS_TO_FINALITY)
  return settled && settled.slot <= slot ? settled : settled && { slot, signature: null }
}
