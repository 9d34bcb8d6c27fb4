import type { Address } from '@solana/kit'
import type { ChainAccount } from './account.ts'
import type { Vm } from './vm.ts'

export type Undo = ReturnType<typeof createUndo>

/** The machine takes no snapshots: accounts are remembered before their first change, and put back. */
export function createUndo(vm: Vm) {
  const before = new Map<Address, ChainAccount | undefined>()
  return {
    before: before as ReadonlyMap<Address, ChainAccount | undefined>,
    remember(address: Address): void {
      if (!before.has(address)) before.set(address, vm.read(address))
    },
    putBack(): void {
      for (const [address, account] of before) vm.write(address, account)
    },
  }
}
