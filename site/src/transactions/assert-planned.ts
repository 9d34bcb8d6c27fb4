import { formatAmount } from '@slipway/client'
import {
  type Call,
  decodeCall,
  encodeCall,
  isOfKind,
  READONLY,
  WRITABLE_SIGNER,
} from '@slipway/launch-model/call'
import { type ActingAgent, createAsset, execute, executeCall, memo } from '@slipway/launch-model/calls/agents'
import {
  setComputeLimit,
  setComputePrice,
  transfer,
  transferTokens,
} from '@slipway/launch-model/calls/tokens'
import type { Address } from '@slipway/launch-model/programs'
import type { Step as PlannedStep } from '@slipway/launch-model/trade/wrap-native'
import {
  getPublicKeyFromAddress,
  type Address as KitAddress,
  type SignatureBytes,
  verifySignature,
} from '@solana/kit'
import {
  areEqual,
  type DecodedTransaction,
  type Instruction,
  refuseInstruction,
} from './decode-transaction.ts'
import { refuse, type Step } from './intent.ts'
import { formatSol } from './words.ts'

/** What a transaction must be, and what to say about it. */
export interface Planned {
  /** Every instruction, in order. */
  steps: readonly PlannedStep[]
  /** The agent that signs some of them. */
  agent?: ActingAgent | undefined
  says: Step[]
}

/**
 * Refuses a transaction that is not exactly what was planned: its instructions in their order, with these accounts
 * and this data, and no account that they don't name, or in another role. Only the blockhash is left open.
 */
export function assertPlanned(
  { instructions, roles }: DecodedTransaction,
  { steps, agent }: Planned,
  wallet: Address,
): void {
  const planned = steps.map(({ call, byAgent }) => ({
    call,
    outer: agent && byAgent ? executeCall(agent, wallet, call) : call,
  }))
  if (instructions.some(one => isOfKind(setComputePrice, one)))
    refuse('The transaction pays a priority fee, which this page didn’t ask for.')
  assertCount(instructions, planned.length)
  for (const [index, one] of planned.entries()) assertCall(instructions[index] as Instruction, one)
  assertRoles(
    roles,
    planned.map(({ outer }) => outer),
    wallet,
  )
}

function assertCount(instructions: readonly Instruction[], count: number): void {
  if (instructions.length > count)
    refuse(
      `The transaction does more than this page said: it has ${instructions.length} instructions, not ${count}.`,
    )
  if (instructions.length < count) refuse('The transaction does less than this page said.')
}

function assertCall(given: Instruction, { call, outer }: { call: Call; outer: Call }): void {
  if (given.program !== outer.kind.program)
    refuse(`The transaction calls the program ${given.program}, which this page didn’t expect here.`)
  if (!areEqual(given.data, encodeCall(outer).data)) refuseData(given, call, outer !== call)
  for (const [index, { name, address }] of outer.accounts.entries()) {
    const actual = given.accounts[index]
    if (actual !== address)
      refuse(`The transaction names ${actual ?? 'no account'} as ${name}. It should be ${address}.`)
  }
  if (given.accounts.length > outer.accounts.length)
    refuse('The transaction hands more accounts to a program than the program needs.')
}

type Difference = (given: never, planned: never) => string | undefined

/** What differs in the data of an instruction, where people can tell. */
const DIFFERENCES: Record<string, Difference> = {
  [transfer.name]: (given: { lamports: bigint }, planned: { lamports: bigint }) =>
    `The transaction moves ${formatSol(given.lamports)}. This page expected ${formatSol(planned.lamports)}.`,
  [transferTokens.name]: (given: Tokens, planned: Tokens) =>
    `The transaction moves ${sayTokens(given)}. This page expected ${sayTokens(planned)}.`,
  [createAsset.name]: (given: Document, planned: Document) =>
    given.name === planned.name
      ? `The transaction gives the agent the document ${given.uri}. You gave it ${planned.uri}.`
      : `The transaction names the agent “${given.name}”. You named it “${planned.name}”.`,
  [setComputeLimit.name]: (given: { units: number }, planned: { units: number }) =>
    `The transaction may compute up to ${given.units} units. This page expected ${planned.units}.`,
  [memo.name]: () => 'The transaction has a different note from the one you wrote.',
}
type Tokens = { amount: bigint; decimals: number }
type Document = { name: string; uri: string }
const sayTokens = ({ amount, decimals }: Tokens) => formatAmount(amount, decimals)

function refuseData({ data }: Instruction, { kind, args }: Call, isExecuted: boolean): never {
  let message: string | undefined
  try {
    const given = decodeCall(kind, isExecuted ? decodeCall(execute, data).data : data)
    message = DIFFERENCES[kind.name]?.(given as never, args as never)
  } catch {
    // It is another instruction.
  }
  return message ? refuse(message) : refuseInstruction()
}

/** Each account has the highest of the roles that instructions give it. */
function assertRoles(roles: DecodedTransaction['roles'], calls: readonly Call[], wallet: Address): void {
  const planned = new Map([[wallet, WRITABLE_SIGNER]])
  const add = (address: Address, role: number) =>
    planned.set(address, (planned.get(address) ?? READONLY) | role)
  for (const { kind, accounts } of calls) {
    add(kind.program, READONLY)
    for (const { address, role } of accounts) add(address, role)
  }
  for (const [address, role] of roles) {
    const expected = planned.get(address)
    if (expected === undefined) refuse(`The transaction names the account ${address}, which it doesn’t use.`)
    if (expected !== role)
      refuse(`The transaction may do something else with the account ${address} than this page expected.`)
  }
}

/**
 * The connected wallet pays the fee and signs. The only other signers are keys of accounts that the transaction
 * creates, and they have already signed.
 */
export async function assertSigners(
  { signers, message }: DecodedTransaction,
  wallet: Address,
  newAccounts: readonly Address[],
): Promise<void> {
  const [payer, ...others] = signers
  if (payer?.address !== wallet) refuse(`The fee would be paid by ${payer?.address}, not by your wallet.`)
  for (const { address, signature } of others) {
    if (!newAccounts.includes(address))
      refuse(`The transaction also needs the signature of ${address}, which this page didn’t ask for.`)
    if (!signature || !(await isValid(address, signature, message)))
      refuse(`The signature of the new account ${address} is missing or wrong.`)
  }
}

/** Browsers that can't check Ed25519 leave it to the network, which refuses a wrong signature too. */
async function isValid(address: Address, signature: Uint8Array, message: Uint8Array): Promise<boolean> {
  const key = await getPublicKeyFromAddress(address as KitAddress).catch(() => undefined)
  return !key || verifySignature(key, signature as SignatureBytes, message)
}
