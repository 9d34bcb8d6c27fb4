import type { Address } from '@solana/kit'
import type { ChainAccount } from './account.ts'
import type { Vm } from './vm.ts'

export type Undo = ReturnType<typeof createUndo>

/** Undoes changes in the VM, which has no snapshots: each account is saved before its first change. */
export function createUndo(vm: Vm) {
  const before = new Map<Address, ChainAccount | undefined>()
  return {
    before: before as ReadonlyMap<Address, ChainAccount | undefined>,
    save(address: Address): void {
      if (!before.has(address)) before.set(address, vm.read(address))
    },
    restore(): void {
      for (const [address, account] of before) vm.write(address, account)
    },
  }
}
