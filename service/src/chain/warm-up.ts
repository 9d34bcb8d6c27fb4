import { setImmediate } from 'node:timers/promises'
import { bucketLayouts } from './accounts/bucket-layouts.ts'
import { SYSTEM_PROGRAM } from './addresses/programs.ts'
import { officialClients } from './official-clients.ts'
import { buildWithdrawTransaction } from './transactions/build-withdraw.ts'

/**
 * Loads the official clients and asks them all that is asked once, so that no request waits for it. To be called when
 * the service listens; requests are answered between its steps.
 */
export async function warmUpChain(): Promise<void> {
  for (const step of [...Object.values(officialClients), bucketLayouts, buildSample]) {
    await setImmediate()
    step()
  }
}

function buildSample(): void {
  const nobody = { asset: SYSTEM_PROGRAM, owner: SYSTEM_PROGRAM, lamports: 1n, blockhash: SYSTEM_PROGRAM }
  buildWithdrawTransaction(nobody)
  buildWithdrawTransaction({ ...nobody, collection: SYSTEM_PROGRAM })
}
