import { setImmediate } from 'node:timers/promises'
import { bucketLayouts } from './accounts/bucket-layouts.ts'
import { SYSTEM_PROGRAM, TOKEN_PROGRAM, WRAPPED_NATIVE_MINT } from './addresses/programs.ts'
import { officialClients } from './official-clients.ts'
import { buildClaimTransaction } from './transactions/build-claim.ts'
import { buildWithdrawTransaction } from './transactions/build-withdraw.ts'

/**
 * Loads the official clients and asks them all that is asked once, so that no request waits for it. To be called when
 * the service listens; requests are answered between its steps.
 */
export async function warmUpChain(): Promise<void> {
  for (const step of [...Object.values(officialClients), bucketLayouts, buildSamples]) {
    await setImmediate()
    step()
  }
}

function buildSamples(): void {
  const nobody = { asset: SYSTEM_PROGRAM, owner: SYSTEM_PROGRAM, lamports: 1n, blockhash: SYSTEM_PROGRAM }
  buildWithdrawTransaction(nobody)
  buildWithdrawTransaction({ ...nobody, collection: SYSTEM_PROGRAM })
  for (const kind of ['bondingCurveV2', 'raydiumCpmmV2'] as const) {
    buildClaimTransaction({
      payer: SYSTEM_PROGRAM,
      bucket: { kind, genesis: SYSTEM_PROGRAM, address: SYSTEM_PROGRAM },
      wallet: SYSTEM_PROGRAM,
      baseMint: SYSTEM_PROGRAM,
      quoteMint: WRAPPED_NATIVE_MINT,
      quoteTokenProgram: TOKEN_PROGRAM,
      createsTokenAccount: true,
      collect: { environment: 'mainnet', baseTokenProgram: TOKEN_PROGRAM },
      blockhash: SYSTEM_PROGRAM,
    })
  }
}
