import {
  delegateRecordAddress,
  executiveProfileAddress,
  identityAddress,
} from '@slipway/launch-model/addresses'
import type { Call } from '@slipway/launch-model/call'
import {
  delegateExecutionCall,
  registerExecutiveCall,
  revokeExecutionCall,
} from '@slipway/launch-model/calls/agents'
import { planDelegateChange } from '@slipway/launch-model/plan-agent'
import type { Address } from '@slipway/schema/address'
import { ServiceError } from '@slipway/schema/errors'
import type { Blockhash, BlockhashSource, ChainAccount } from '../../chain/account-reader.ts'
import { decodeDelegation, decodeExecutive } from '../../chain/accounts/delegation.ts'
import { decodeIdentity } from '../../chain/accounts/identity.ts'
import type { ChainRpc } from '../../chain/rpc/create-rpc.ts'
import { compileSteps } from '../../chain/transactions/compile-steps.ts'
import { type AssetParts, readAsset } from '../read-asset.ts'
import { assertSimulated } from '../wallet/read-token.ts'
import { type DelegatesParts, fetchOmitted, toRecords } from './read-delegates.ts'

export interface DelegateParts {
  rpc: AssetParts['rpc'] & Pick<ChainRpc, 'simulate'>
  isKnown: AssetParts['isKnown']
  findIndexed: DelegatesParts['findIndexed']
  blockhash: BlockhashSource
}

interface Built {
  tx: string
  blockhash: Blockhash
}

/** Builds the transaction by which the owner lets an executive spend from the agent's wallet. */
export async function buildDelegation(
  parts: DelegateParts,
  { address, sender, executive }: { address: Address; sender: Address; executive: Address },
): Promise<Built> {
  const profile = executiveProfileAddress(executive)
  const also = [identityAddress(address), profile, delegateRecordAddress(profile, address)]
  const { asset, others } = await readAsset(parts, address, also)
  const [identity, executiveProfile, record] = others as [ChainAccount, ChainAccount, ChainAccount]
  if (!decodeIdentity(identity).exists) throw new ServiceError('AGENT_NOT_FOUND')
  if (asset.owner !== sender) throw new ServiceError('NOT_AUTHORIZED')
  if (!decodeExecutive(executiveProfile).exists) throw new ServiceError('NOT_AN_EXECUTIVE')
  if (decodeDelegation(record).exists) throw new ServiceError('ALREADY_DELEGATED')
  return build(parts, sender, delegateExecutionCall(address, sender, executive), `delegate ${executive}`)
}

/** Builds the transaction by which the owner, or the delegate, ends a delegation. */
export async function buildRevocation(
  parts: DelegateParts,
  { address, sender, record }: { address: Address; sender: Address; record: Address },
): Promise<Built> {
  const { asset, others } = await readAsset(parts, address, [record])
  const read = toRecords(others, address).get(record)
  const found = read ?? (await findOmitted(parts, address, record))
  if (asset.owner !== sender && found?.wallet !== sender) throw new ServiceError('NOT_AUTHORIZED')
  if (!found) throw new ServiceError('NO_SUCH_DELEGATION')
  return build(parts, sender, revokeExecutionCall(address, sender, record), `revoke ${record}`)
}

/** One endpoint is enough to report a record as missing only if the index does not know it either. */
async function findOmitted({ rpc, findIndexed }: DelegateParts, agent: Address, record: Address) {
  const isIndexed = (await findIndexed(agent)).some(row => row.record === record)
  return isIndexed ? toRecords(await fetchOmitted(rpc, agent, [record]), agent).get(record) : undefined
}

/** Builds the transaction by which a wallet becomes one that agents can delegate to. */
export async function buildRegistration(
  parts: Pick<DelegateParts, 'rpc' | 'blockhash'>,
  { wallet }: { wallet: Address },
): Promise<Built> {
  const { accounts } = await parts.rpc.fetchAccounts([executiveProfileAddress(wallet)])
  if (decodeExecutive(accounts[0] as ChainAccount).exists) throw new ServiceError('ALREADY_EXECUTIVE')
  return build(parts, wallet, registerExecutiveCall(wallet), 'register')
}

async function build(
  { rpc, blockhash }: Pick<DelegateParts, 'rpc' | 'blockhash'>,
  payer: Address,
  call: Call,
  request: string,
): Promise<Built> {
  const recent = await blockhash.latestFor(`${payer} ${request}`)
  const tx = compileSteps(planDelegateChange(call), { payer, blockhash: recent.blockhash })
  assertSimulated(await rpc.simulate(tx))
  return { tx, blockhash: recent }
}
