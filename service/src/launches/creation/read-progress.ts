import type { ChainAccount, CheckedReader } from '../../chain/account-reader.ts'
import { decodeMint, decodeTokenMetadata, findTokenName } from '../../chain/accounts/mint.ts'
import { tokenMetadataAddress } from '../../chain/addresses/addresses.ts'
import { evidenceAddresses, findPendingSteps } from '../../chain/transactions/launch/find-pending-steps.ts'
import type { LaunchPlan } from '../../chain/transactions/launch/launch-plan.ts'
import type { LaunchStep } from '../../chain/transactions/launch/launch-steps.ts'
import type { OwnDocuments } from '../../metadata/own-documents.ts'
import { parseHostedUri } from '../../metadata/own-documents.ts'

/** Reads which steps of a launch are left, and the names of parts that are not as planned. */
export async function readProgress(
  reader: CheckedReader,
  plan: LaunchPlan,
  steps: readonly LaunchStep[],
  document: { own: Pick<OwnDocuments, 'url' | 'previousUrls'>; sha256: string },
): Promise<{ pending: LaunchStep[]; conflicts: string[] }> {
  const sinceMs = performance.now()
  const { accounts } = await reader.fetchAccounts([
    plan.mint,
    tokenMetadataAddress(plan.mint),
    ...evidenceAddresses(steps),
  ])
  const [mint, metadata, ...evidence] = accounts as [ChainAccount, ChainAccount, ...ChainAccount[]]
  const { pending, conflicts } = findPendingSteps(plan, steps, evidence)
  await reader.confirmCluster(sinceMs)
  return { pending, conflicts: [...findTokenConflicts(plan, mint, metadata, document), ...conflicts] }
}

function findTokenConflicts(
  { token }: LaunchPlan,
  mintAccount: ChainAccount,
  metadata: ChainAccount,
  { own, sha256 }: { own: Pick<OwnDocuments, 'url' | 'previousUrls'>; sha256: string },
): string[] {
  const mint = decodeMint(mintAccount)
  const text = findTokenName(mint, decodeTokenMetadata(metadata))
  return [
    ...(mint.exists && mint.decimals === token.decimals ? [] : ['number of decimals']),
    ...(text?.name === token.name ? [] : ['name']),
    ...(text?.symbol === token.symbol ? [] : ['symbol']),
    ...(text && parseHostedUri(own, text.uri) === sha256
      ? []
      : ['document (name, symbol, image, description and links)']),
  ]
}
