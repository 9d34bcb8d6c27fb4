import type { Address } from '@solana/kit'
import type { Instruction } from '../programs/stand-in.ts'
import { type ChainAccount, SYSTEM_PROGRAM } from './account.ts'
import type { ResolvedKeys } from './resolve-keys.ts'
import type { Vm } from './vm.ts'
import { type BatchResult, runBatch } from './vm-batch.ts'

/**
 * Runs a batch without the VM's rent check: the VM checks after every batch, but the chain only after the whole
 * transaction. Accounts that would fail the check get extra lamports during the run.
 */
export function runBatchIgnoringRent(vm: Vm, instructions: readonly Instruction[]): BatchResult {
  const added = new Map<Address, bigint>()
  for (;;) {
    const result = runBatch(vm, instructions)
    const short = result.failed?.account
    if (short === undefined || added.has(short)) {
      for (const [address, lamports] of added) addLamports(vm, address, -lamports)
      return result
    }
    const extra = vm.rentExemptMinimum(vm.read(short)?.data.length ?? 0)
    addLamports(vm, short, extra)
    added.set(short, extra)
  }
}

function addLamports(vm: Vm, address: Address, lamports: bigint): void {
  const account = vm.read(address) ?? EMPTY
  vm.write(address, { ...account, lamports: account.lamports + lamports })
}
const EMPTY: ChainAccount = { lamports: 0n, owner: SYSTEM_PROGRAM, data: new Uint8Array(), executable: false }

/**
 * Index of the first account that ends below its rent minimum. One that was below it before is accepted if it neither
 * changed its size nor gained lamports.
 */
export function findRentViolation(
  vm: Vm,
  before: ReadonlyMap<Address, ChainAccount | undefined>,
  keys: ResolvedKeys,
): number | undefined {
  const short = [...before].flatMap(([address, was]) => {
    const is = vm.read(address)
    if (!is || is.lamports >= vm.rentExemptMinimum(is.data.length)) return []
    const wasPoor = was && was.lamports < vm.rentExemptMinimum(was.data.length)
    const grew = wasPoor && (was.data.length !== is.data.length || is.lamports > was.lamports)
    return wasPoor && !grew ? [] : [keys.keys.indexOf(address)]
  })
  return short.length === 0 ? undefined : Math.min(...short)
}
