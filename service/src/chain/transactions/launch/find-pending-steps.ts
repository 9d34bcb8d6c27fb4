import type { Address } from '@slipway/schema/address'
import type { ChainAccount } from '../../account-reader.ts'
import { decodeGenesisAccount } from '../../accounts/genesis-account.ts'
import type { LaunchPlan } from './launch-plan.ts'
import type { LaunchStep } from './launch-steps.ts'

/** The accounts that tell which steps have been carried out. */
export const evidenceAddresses = (steps: readonly LaunchStep[]): Address[] => [
  ...new Set(steps.map(({ evidence }) => evidence.address)),
]

/**
 * The steps that are left, and the names of those for which the chain has something else. The second list is not empty if
 * the launch on the chain was not created from this plan.
 */
export function findPendingSteps(
  { genesis }: Pick<LaunchPlan, 'genesis'>,
  steps: readonly LaunchStep[],
  accounts: readonly ChainAccount[],
): { pending: LaunchStep[]; conflicts: string[] } {
  const byAddress = new Map(accounts.map(account => [account.address, account]))
  const accountOf = (address: Address) => byAddress.get(address) ?? { exists: false, address }
  const states = steps.map(step => ({ step, state: step.evidence.stateOf(accountOf(step.evidence.address)) }))
  const launch = decodeGenesisAccount(accountOf(genesis))
  const isOver = launch.exists && launch.finalized
  const isConflict = ({ step, state }: (typeof states)[number]) =>
    state === 'conflict' || (state === 'pending' && isOver && !step.isAfterwards)
  const conflicts = states.filter(isConflict).map(({ step }) => step.name)
  const buckets = states.filter(({ step, state }) => step.addsBucket && state !== 'pending').length
  if (launch.exists && launch.bucketCount > buckets) conflicts.push('number of buckets')
  return { pending: states.filter(({ state }) => state === 'pending').map(({ step }) => step), conflicts }
}
