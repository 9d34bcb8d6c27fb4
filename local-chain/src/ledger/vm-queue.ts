import type { Address } from '@solana/kit'
import type { Instruction } from '../programs/stand-in.ts'
import { Halt } from './halt.ts'
import { runBatchIgnoringRent } from './rent.ts'
import type { RunLog } from './run-log.ts'
import type { Undo } from './undo.ts'
import type { Vm } from './vm.ts'
import type { InnerInstruction } from './vm-batch.ts'

type Queued = {
  readonly instruction: Instruction
  /** Index of the top-level instruction that it belongs to. */
  readonly outer: number
  readonly depth: number
  /** Its entry among the inner instructions of `outer`; undefined if it is `outer` itself. */
  readonly entry: InnerInstruction | undefined
  readonly lines: string[]
}

export type VmQueue = ReturnType<typeof createVmQueue>

/**
 * Queues instructions for the VM until something reads what they write. They then run as one batch, so that rent is
 * checked only on the result.
 */
export function createVmQueue(
  vm: Vm,
  { undo, log, inner }: { undo: Undo; log: RunLog; inner: readonly InnerInstruction[][] },
) {
  let queue: Queued[] = []
  let unitsConsumed = 0

  function flush(): void {
    if (queue.length === 0) return
    const batch = queue
    queue = []
    for (const { instruction } of batch) {
      for (const ref of instruction.accounts) if (ref.isWritable) undo.save(ref.address)
    }
    const result = runBatchIgnoringRent(
      vm,
      batch.map(item => item.instruction),
    )
    unitsConsumed += result.unitsConsumed
    batch.forEach((item, at) => {
      const ran = result.ran[at]
      item.lines.push(...(ran?.logs ?? []).map(line => addDepth(line, item.depth)))
      const nested = (ran?.inner ?? []).map(entry => ({
        ...entry,
        stackHeight: entry.stackHeight + item.depth,
      }))
      // The instruction was listed when it was queued; those that it invoked come right after it.
      const list = inner[item.outer] as InnerInstruction[]
      list.splice(item.entry ? list.indexOf(item.entry) + 1 : 0, 0, ...nested)
    })
    if (!result.failed) return
    const { at, error, account } = result.failed
    const item = batch[at]
    if (item && typeof error === 'object' && 'InstructionError' in error) {
      throw new Halt({ outer: item.outer, error: error.InstructionError[1] }, item.lines)
    }
    throw new Halt({ whole: error, ...(account && { account }) })
  }

  return {
    flush,
    add(item: Omit<Queued, 'lines'>): void {
      // Within a batch, an account signs for all instructions or for none: a program's signature for one instruction
      // must not apply to the next.
      const conflict = queue.some(({ instruction }) =>
        instruction.accounts.some(a =>
          item.instruction.accounts.some(b => a.address === b.address && a.isSigner !== b.isSigner),
        ),
      )
      if (conflict) flush()
      queue.push({ ...item, lines: log.reserve() })
    },
    writes: (address: Address): boolean =>
      queue.some(({ instruction }) =>
        instruction.accounts.some(ref => ref.isWritable && ref.address === address),
      ),
    unitsConsumed: () => unitsConsumed,
  }
}

const addDepth = (line: string, depth: number): string =>
  depth === 0 ? line : line.replace(/ invoke \[(\d+)\]$/, (_, level) => ` invoke [${Number(level) + depth}]`)
