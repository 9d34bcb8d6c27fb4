import type { Address } from '@solana/kit'
import { StartError } from '../start-error.ts'
import type { ChainAccount } from './account.ts'
import type { Vm } from './vm.ts'

/** Adds a program to the VM. Throws a `StartError` that names the file of a binary that is damaged. */
export function loadProgram(vm: Vm, address: Address, elf: Uint8Array): void {
  try {
    vm.addProgram(address, elf)
  } catch (error) {
    throw new StartError(
      `programs/${address}.so cannot be loaded (${(error as Error).message}). Fetch it again or remove it.`,
    )
  }
}

/** Loads the stored accounts into the empty VM; programs come after the data accounts that they point to. */
export function restoreVm(
  vm: Vm,
  entries: Iterable<[Address, ChainAccount]>,
  onError: (error: Error) => void,
): void {
  const ordered = [...entries].sort(([, a], [, b]) => Number(a.executable) - Number(b.executable))
  for (const [address, account] of ordered) {
    try {
      vm.write(address, account)
    } catch (error) {
      onError(new Error(`account ${address} could not be restored: ${(error as Error).message}`))
    }
  }
}
