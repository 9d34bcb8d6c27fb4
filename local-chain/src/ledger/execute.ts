import type { Address } from '@solana/kit'
import type { StandIn } from '../programs/stand-in.ts'
import type { ChainAccount } from './account.ts'
import { type Execution, refused } from './execution.ts'
import { budgetOf, takePriorityFee } from './fee.ts'
import type { WireTransaction } from './parse-transaction.ts'
import { type ResolvedKeys, resolveKeys } from './resolve-keys.ts'
import { runWithStandIns } from './run-with-stand-ins.ts'
import { forVm, withoutBudget } from './version-1.ts'
import type { Vm } from './vm.ts'

type Executor = (tx: WireTransaction, mode: 'commit' | 'simulate') => Execution

/** Runs transactions whose signatures and blockhash have already been checked. */
export function createExecutor(
  vm: Vm,
  standIns: ReadonlyMap<Address, StandIn>,
  read: (address: Address) => ChainAccount | undefined,
): Executor {
  return (tx, mode) => {
    const keys = resolveKeys(tx, read)
    if ('error' in keys) return refused(keys.error)
    const isStandIn = (at: number) => standIns.has(keys.keys[at] as Address)
    // A stand-in has no account in the VM: lamports that are sent to its address would create one.
    const isWritable = (at: number) => keys.isWritable(at) && !isStandIn(at)
    // In version 1, compute-budget instructions do nothing. The VM would obey them.
    const ignoresBudget = tx.config !== undefined && budgetOf(tx).length > 0
    if (ignoresBudget || tx.instructions.some(ix => isStandIn(ix.programIndex)))
      return runWithStandIns(vm, standIns, tx, { ...keys, isWritable }, mode)
    const writesStandIn = keys.keys.some((_, at) => isStandIn(at) && keys.isWritable(at))
    return writesStandIn ? refused('InvalidWritableAccount') : runOnVm(vm, tx, keys, mode)
  }
}

function runOnVm(vm: Vm, tx: WireTransaction, keys: ResolvedKeys, mode: 'commit' | 'simulate'): Execution {
  const named = [...keys.keys, ...tx.lookups.map(lookup => lookup.table)]
  const payer = keys.keys[0] as Address
  const beforeFee = vm.read(payer)
  const unpaid = takePriorityFee(vm, tx)
  if (unpaid) return refused(unpaid)
  if (mode === 'simulate') {
    const result = withoutBudget(tx, vm.simulate(forVm(tx), named))
    if (tx.config?.priorityFee) vm.write(payer, beforeFee)
    return { ...result, keys, landed: false }
  }
  const before = vm.read(payer)?.lamports
  const result = withoutBudget(tx, vm.send(forVm(tx), named))
  const accounts = new Map<Address, ChainAccount | undefined>()
  keys.keys.forEach((address, at) => {
    if (keys.isWritable(at)) accounts.set(address, vm.read(address))
  })
  // A transaction that cannot pay its fee or load its accounts is not charged and never gets into a block.
  const landed = result.err === null || vm.read(payer)?.lamports !== before
  if (landed) return { ...result, accounts, keys, landed }
  vm.write(payer, beforeFee)
  return refused(result.err ?? 'AccountNotFound')
}
