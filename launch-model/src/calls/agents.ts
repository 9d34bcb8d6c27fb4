import type { Address } from '@slipway/schema/address'
import {
  assetSignerAddress,
  delegateRecordAddress,
  executiveProfileAddress,
  identityAddress,
} from '../addresses.ts'
import { addressAt } from '../bytes/base58.ts'
import { constant, encode, restOfText, sized, struct, text, zeros } from '../bytes/codec.ts'
import {
  type Call,
  call,
  defineCall,
  readonly,
  readonlySigner,
  unsigned,
  writable,
  writableSigner,
} from '../call.ts'
import {
  AGENT_TOOLS_PROGRAM,
  CORE_PROGRAM,
  IDENTITY_PROGRAM,
  MEMO_PROGRAM,
  SYSTEM_PROGRAM,
} from '../programs.ts'

/** An optional account that is not given is written as the program itself. */
const optional = (address: Address | undefined, program: Address, name: string) =>
  address ? writable(address, name) : readonly(program, name)

/** An empty list as an optional value. A plugin could let someone else move, freeze or burn the asset. */
const NO_PLUGINS = [1, 0, 0, 0, 0]

/** `createV2` of Core, in an account of its own. */
export const createAsset = defineCall(
  'createAsset',
  CORE_PROGRAM,
  [20, 0],
  struct({ name: text, uri: text, _plugins: constant(NO_PLUGINS), _external: constant(NO_PLUGINS) }),
)

export interface NewAgent {
  /** Signs too, because its account is created. */
  asset: Address
  /** Pays, signs, and owns the asset. It is also the asset's update authority, unless that is the collection. */
  wallet: Address
  /** The wallet must be its update authority or a delegate. */
  collection?: Address | undefined
}

/** The payer is the authority and the owner. */
export const createAssetCall = (
  { asset, wallet, collection }: NewAgent,
  document: { name: string; uri: string },
): Call =>
  call(createAsset, document, [
    writableSigner(asset, 'the new agent'),
    optional(collection, CORE_PROGRAM, 'the agent’s collection'),
    readonly(CORE_PROGRAM, 'the authority'),
    writableSigner(wallet, 'the payer'),
    readonly(CORE_PROGRAM, 'the owner'),
    readonly(CORE_PROGRAM, 'the update authority'),
    readonly(SYSTEM_PROGRAM, 'the system program'),
    readonly(CORE_PROGRAM, 'the log'),
  ])

/** An instruction's number is padded to eight bytes. */
const PADDED = { _padding: zeros(7) }

/** `registerIdentityV1` of the identity program. */
export const registerIdentity = defineCall(
  'registerIdentity',
  IDENTITY_PROGRAM,
  0,
  struct({ ...PADDED, uri: text }),
)

export const registerIdentityCall = ({ asset, wallet, collection }: NewAgent, uri: string): Call =>
  call(registerIdentity, { uri }, [
    writable(identityAddress(asset), 'the agent’s identity'),
    writable(asset, 'the agent'),
    optional(collection, IDENTITY_PROGRAM, 'the agent’s collection'),
    writableSigner(wallet, 'the payer'),
    readonly(IDENTITY_PROGRAM, 'the authority'),
    readonly(CORE_PROGRAM, 'the program of the agent'),
    readonly(SYSTEM_PROGRAM, 'the system program'),
  ])

/** `setAgentTokenV1`: makes the new token the agent's own, for good. The agent's wallet signs. */
export const setAgentToken = defineCall('setAgentToken', IDENTITY_PROGRAM, 1, struct(PADDED))

export const setAgentTokenCall = (
  asset: Address,
  { genesis, wallet, authority }: { genesis: Address; wallet: Address; authority: Address },
): Call =>
  call(setAgentToken, {}, [
    writable(identityAddress(asset), 'the agent’s identity'),
    readonly(asset, 'the agent'),
    readonly(genesis, 'the launch'),
    writableSigner(wallet, 'the payer'),
    readonlySigner(authority, 'the agent’s wallet'),
    readonly(SYSTEM_PROGRAM, 'the system program'),
  ])

/** `execute` of Core. */
export const execute = defineCall('execute', CORE_PROGRAM, 31, struct({ data: sized }))

/** The agent whose wallet acts. The program refuses to act for it without its collection, if it has one. */
export interface ActingAgent {
  asset: Address
  collection?: Address | undefined
}

const ASSET_V1 = 1
const IN_COLLECTION = 2
/** Where an asset says what kind of update authority it has. Its address follows. */
const AUTHORITY_AT = 33

/** The collection that an asset belongs to. */
export const collectionIn = (asset: Uint8Array): Address | undefined =>
  asset[0] === ASSET_V1 && asset[AUTHORITY_AT] === IN_COLLECTION
    ? addressAt(asset, AUTHORITY_AT + 1)
    : undefined

/** Core's `execute` around an instruction: the program signs for the agent's wallet, because the owner signs. */
export function executeCall({ asset, collection }: ActingAgent, owner: Address, inner: Call): Call {
  const wallet = assetSignerAddress(asset)
  return call(execute, { data: encode(inner.kind.codec, inner.args) }, [
    writable(asset, 'the agent'),
    optional(collection, CORE_PROGRAM, 'the agent’s collection'),
    readonly(wallet, 'the agent’s wallet'),
    writableSigner(owner, 'the payer'),
    readonly(CORE_PROGRAM, 'the authority'),
    readonly(SYSTEM_PROGRAM, 'the system program'),
    readonly(inner.kind.program, 'the program to call'),
    ...inner.accounts.map(account => (account.address === wallet ? unsigned(account) : account)),
  ])
}

/** The only instruction of the memo program: a text, and the accounts that sign it. */
export const memo = defineCall('memo', MEMO_PROGRAM, [], struct({ text: restOfText }))

export const memoCall = (sender: Address, text: string): Call =>
  call(memo, { text }, [readonlySigner(sender, 'the signer of the note')])

/** `registerExecutiveV1` of the agent tools program: makes a wallet one that agents can delegate to. */
export const registerExecutive = defineCall('registerExecutive', AGENT_TOOLS_PROGRAM, 0, struct(PADDED))

export const registerExecutiveCall = (wallet: Address): Call =>
  call(registerExecutive, {}, [
    writable(executiveProfileAddress(wallet), 'the profile'),
    writableSigner(wallet, 'the payer'),
    readonlySigner(wallet, 'the executive'),
    readonly(SYSTEM_PROGRAM, 'the system program'),
  ])

/** `delegateExecutionV1`: the owner lets an executive act for the agent's wallet. */
export const delegateExecution = defineCall('delegateExecution', AGENT_TOOLS_PROGRAM, 1, struct(PADDED))

export const delegateExecutionCall = (agent: Address, owner: Address, executive: Address): Call => {
  const profile = executiveProfileAddress(executive)
  return call(delegateExecution, {}, [
    readonly(profile, 'the executive’s profile'),
    readonly(agent, 'the agent'),
    readonly(identityAddress(agent), 'the agent’s identity'),
    writable(delegateRecordAddress(profile, agent), 'the record'),
    writableSigner(owner, 'the payer'),
    readonlySigner(owner, 'the owner'),
    readonly(SYSTEM_PROGRAM, 'the system program'),
  ])
}

/** `revokeExecutionV1`: the owner or the executive ends it, and gets the rent of the record. */
export const revokeExecution = defineCall('revokeExecution', AGENT_TOOLS_PROGRAM, 2, struct(PADDED))

export const revokeExecutionCall = (agent: Address, sender: Address, record: Address): Call =>
  call(revokeExecution, {}, [
    writable(record, 'the record'),
    readonly(agent, 'the agent'),
    writable(sender, 'who gets the rent'),
    writableSigner(sender, 'the payer'),
    readonlySigner(sender, 'the sender'),
    readonly(SYSTEM_PROGRAM, 'the system program'),
  ])
