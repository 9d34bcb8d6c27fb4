import type { Address } from '@solana/kit'
import type { InnerInstruction } from '../programs/stand-in.ts'
import { Halt } from './halt.ts'
import { runOnLentRent } from './rent.ts'
import type { RunLog } from './run-log.ts'
import type { Undo } from './undo.ts'
import type { Vm } from './vm.ts'
import type { DeepInstruction } from './vm-batch.ts'

type Queued = {
  readonly instruction: InnerInstruction
  /** Which instruction of the message it belongs to. */
  readonly outer: number
  readonly depth: number
  /** Where it is listed among what `outer` invoked, unless it is `outer` itself. */
  readonly entry: DeepInstruction | undefined
  readonly lines: string[]
}

/**
 * Instructions for the machine, put off for as long as nobody reads what they write: they then run as one batch, and
 * rent is judged on the outcome and not on the way.
 */
export function createMachineQueue(
  vm: Vm,
  { undo, log, inner }: { undo: Undo; log: RunLog; inner: readonly DeepInstruction[][] },
) {
  let queue: Queued[] = []
  let unitsConsumed = 0

  function flush(): void {
    if (queue.length === 0) return
    const batch = queue
    queue = []
    for (const { instruction } of batch) {
      for (const ref of instruction.accounts) if (ref.isWritable) undo.remember(ref.address)
    }
    const result = runOnLentRent(
      vm,
      batch.map(item => item.instruction),
    )
    unitsConsumed += result.unitsConsumed
    batch.forEach((item, at) => {
      const ran = result.ran[at]
      item.lines.push(...(ran?.logs ?? []).map(line => deepen(line, item.depth)))
      const deeper = (ran?.inner ?? []).map(entry => ({
        ...entry,
        stackHeight: entry.stackHeight + item.depth,
      }))
      // It was listed when it was queued; what it invoked in turn belongs right behind it.
      const list = inner[item.outer] as DeepInstruction[]
      list.splice(item.entry ? list.indexOf(item.entry) + 1 : 0, 0, ...deeper)
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
      // In one batch an account either signs or does not: a signature that a program lent to one instruction must not
      // be there for the next.
      const clash = queue.some(({ instruction }) =>
        instruction.accounts.some(a =>
          item.instruction.accounts.some(b => a.address === b.address && a.isSigner !== b.isSigner),
        ),
      )
      if (clash) flush()
      queue.push({ ...item, lines: log.reserve() })
    },
    writes: (address: Address): boolean =>
      queue.some(({ instruction }) =>
        instruction.accounts.some(ref => ref.isWritable && ref.address === address),
      ),
    unitsConsumed: () => unitsConsumed,
  }
}

const deepen = (line: string, depth: number): string =>
  depth === 0 ? line : line.replace(/ invoke \[(\d+)\]$/, (_, level) => ` invoke [${Number(level) + depth}]`)
