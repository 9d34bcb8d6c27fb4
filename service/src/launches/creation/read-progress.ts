import { tokenMetadataAddress } from '@slipway/launch-model/addresses'
import type { LaunchPlan } from '@slipway/launch-model/plan/launch-plan'
import type { LaunchStep, StepState } from '@slipway/launch-model/plan/launch-steps'
import type { Address } from '@slipway/schema/address'
import type { ChainAccount, CheckedReader } from '../../chain/account-reader.ts'
import { decodeGenesisAccount } from '../../chain/accounts/genesis-account.ts'
import { decodeMint, decodeTokenMetadata, findTokenName } from '../../chain/accounts/mint.ts'
import { type OwnDocuments, parseHostedUri } from '../../metadata/own-documents.ts'

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

/** The accounts that tell which steps have been carried out. */
const evidenceAddresses = (steps: readonly LaunchStep[]): Address[] => [
  ...new Set(steps.map(({ evidence }) => evidence.address)),
]

const stateOf = ({ evidence }: LaunchStep, account: ChainAccount): StepState =>
  account.exists && account.owner === evidence.program ? evidence.stateOf(account.data) : 'pending'

/**
 * The steps that are left, and the names of those for which the chain has something else. The second list is not
 * empty if the launch on the chain was not created from this plan.
 */
function findPendingSteps(
  { genesis }: Pick<LaunchPlan, 'genesis'>,
  steps: readonly LaunchStep[],
  accounts: readonly ChainAccount[],
): { pending: LaunchStep[]; conflicts: string[] } {
  const byAddress = new Map(accounts.map(account => [account.address, account]))
  const accountOf = (address: Address) => byAddress.get(address) ?? { exists: false, address }
  const states = steps.map(step => ({ step, state: stateOf(step, accountOf(step.evidence.address)) }))
  const launch = decodeGenesisAccount(accountOf(genesis))
  const isOver = launch.exists && launch.finalized
  const isConflict = ({ step, state }: (typeof states)[number]) =>
    state === 'conflict' || (state === 'pending' && isOver && !step.isAfterwards)
  const conflicts = states.filter(isConflict).map(({ step }) => step.name)
  const buckets = states.filter(({ step, state }) => step.addsBucket && state !== 'pending').length
  if (launch.exists && launch.bucketCount > buckets) conflicts.push('number of buckets')
  return { pending: states.filter(({ state }) => state === 'pending').map(({ step }) => step), conflicts }
}
