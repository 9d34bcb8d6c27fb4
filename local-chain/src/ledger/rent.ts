import type { Address } from '@solana/kit'
import type { InnerInstruction } from '../programs/stand-in.ts'
import { type ChainAccount, SYSTEM_PROGRAM } from './account.ts'
import type { ResolvedKeys } from './resolve-keys.ts'
import type { Vm } from './vm.ts'
import { type BatchResult, runBatch } from './vm-batch.ts'

/**
 * Runs a batch whose accounts may be short of rent when it is done: the machine judges that after every batch, the
 * chain only after the whole transaction. The missing rent is lent for the run and taken back.
 */
export function runOnLentRent(vm: Vm, instructions: readonly InnerInstruction[]): BatchResult {
  const lent = new Map<Address, bigint>()
  for (;;) {
    const result = runBatch(vm, instructions)
    const short = result.failed?.account
    if (short === undefined || lent.has(short)) {
      for (const [address, lamports] of lent) addLamports(vm, address, -lamports)
      return result
    }
    const loan = vm.rentExemptMinimum(vm.read(short)?.data.length ?? 0)
    addLamports(vm, short, loan)
    lent.set(short, loan)
  }
}

function addLamports(vm: Vm, address: Address, lamports: bigint): void {
  const account = vm.read(address) ?? EMPTY
  vm.write(address, { ...account, lamports: account.lamports + lamports })
}
const EMPTY: ChainAccount = { lamports: 0n, owner: SYSTEM_PROGRAM, data: new Uint8Array(), executable: false }

/** The index of an account that would be left with less than its rent, unless it was so before and did not grow. */
export function findShortOfRent(
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
