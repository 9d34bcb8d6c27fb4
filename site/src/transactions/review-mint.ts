import { identityAddress } from '@slipway/launch-model/addresses'
import type { Address } from '@slipway/launch-model/programs'
import { CORE_PROGRAM, IDENTITY_PROGRAM, SYSTEM_PROGRAM } from '@slipway/launch-model/programs'
import { shorten } from '../lib/format.ts'
import type { Instruction } from './decode-transaction.ts'
import { parseDocumentUrl } from './document-url.ts'
import { assertAccounts, assertCount, assertProgram, refuseInstruction } from './expect-instruction.ts'
import { createFieldReader, type FieldReader } from './field-reader.ts'
import type { Intent, Step } from './intent.ts'
import { refuse } from './unexpected.ts'

type MintIntent = Extract<Intent<Address>, { kind: 'mint' }>

/** Creates the asset, then registers it as an agent. */
export function reviewMint(
  instructions: readonly Instruction[],
  intent: MintIntent,
  wallet: Address,
): Step[] {
  assertCount(instructions, 2)
  const [create, register] = instructions as [Instruction, Instruction]
  return [reviewCreate(create, intent, wallet), reviewRegister(register, intent, wallet)]
}

const CREATE_V2 = 20
const IN_AN_ACCOUNT = 0

function reviewCreate(instruction: Instruction, { name, uri, agent }: MintIntent, wallet: Address): Step {
  assertProgram(instruction, CORE_PROGRAM)
  const fields = createFieldReader(instruction.data)
  if (fields.u8() !== CREATE_V2 || fields.u8() !== IN_AN_ACCOUNT) refuseInstruction()
  const [actualName, actualUri] = [fields.text(), fields.text()]
  assertNoPlugins(fields)
  assertNoPlugins(fields)
  fields.end()
  if (actualName !== name) refuse(`The transaction names the agent “${actualName}”. You named it “${name}”.`)
  if (uri !== undefined && actualUri !== uri)
    refuse(`The transaction gives the agent the document ${actualUri}. You gave it ${uri}.`)
  if (uri === undefined) parseDocumentUrl(actualUri)
  // An account that is left out is written as the program itself. The payer then is the authority and the owner.
  assertAccounts(instruction, [
    ['the new agent', agent],
    ['the agent’s collection', CORE_PROGRAM],
    ['the authority', CORE_PROGRAM],
    ['the payer', wallet],
    ['the owner', CORE_PROGRAM],
    ['the update authority', CORE_PROGRAM],
    ['the system program', SYSTEM_PROGRAM],
    ['the log', CORE_PROGRAM],
  ])
  return {
    text: `Create the agent “${actualName}” at ${shorten(agent)}, owned by your wallet`,
    detail: `Asset ${agent}, owner ${wallet}, document ${actualUri}`,
  }
}

/** A plugin could let someone else move, freeze or burn the agent. */
function assertNoPlugins(fields: FieldReader): void {
  const isGiven = fields.u8()
  if (isGiven > 1 || (isGiven === 1 && fields.u32() !== 0))
    refuse('The transaction gives the new agent plugins, which could let someone else control it.')
}

function reviewRegister(instruction: Instruction, { agent }: MintIntent, wallet: Address): Step {
  assertProgram(instruction, IDENTITY_PROGRAM)
  const fields = createFieldReader(instruction.data)
  // `RegisterIdentityV1` is number 0, padded to eight bytes.
  if (fields.u64() !== 0n) refuseInstruction()
  const uri = fields.text()
  fields.end()
  const { host } = parseDocumentUrl(uri)
  const identity = identityAddress(agent)
  assertAccounts(instruction, [
    ['the agent’s identity', identity],
    ['the agent', agent],
    ['the agent’s collection', IDENTITY_PROGRAM],
    ['the payer', wallet],
    ['the authority', IDENTITY_PROGRAM],
    ['the program of the agent', CORE_PROGRAM],
    ['the system program', SYSTEM_PROGRAM],
  ])
  return {
    text: `Register it as an agent, described by a document at ${host}`,
    detail: `Identity ${identity}, document ${uri}`,
  }
}
