import {
  getAddExternalPluginAdapterV1InstructionDataSerializer,
  getBurnV1InstructionDataSerializer,
  getCreateCollectionV1InstructionDataSerializer,
  getCreateCollectionV2InstructionDataSerializer,
  getCreateV1InstructionDataSerializer,
  getCreateV2InstructionDataSerializer,
  getExecuteV1InstructionDataSerializer,
  getTransferV1InstructionDataSerializer,
} from '@metaplex-foundation/mpl-core'
import { decodeArguments } from '../instruction-accounts.ts'
import { type Invocation, ProgramError, type StandIn } from '../stand-in.ts'
import { addAgentIdentity } from './add-agent-identity.ts'
import { burn } from './burn.ts'
import { CORE } from './checks.ts'
import { create } from './create.ts'
import { createCollection } from './create-collection.ts'
import { coreError } from './errors.ts'
import { execute } from './execute.ts'
import { transfer } from './transfer.ts'

/** Decodes the arguments before anything else, like the real program. */
const instruction =
  <T>(
    name: string,
    serializer: Parameters<typeof decodeArguments<T>>[0],
    run: (ctx: Invocation, args: T) => void,
  ) =>
  (ctx: Invocation): void => {
    const args = decodeArguments(serializer, ctx.data)
    ctx.log(`Instruction: ${name}`)
    run(ctx, args)
  }

const INSTRUCTIONS: Record<number, (ctx: Invocation) => void> = {
  0: instruction('Create', getCreateV1InstructionDataSerializer(), create),
  1: instruction('CreateCollection', getCreateCollectionV1InstructionDataSerializer(), createCollection),
  12: instruction('Burn', getBurnV1InstructionDataSerializer(), burn),
  14: instruction('Transfer', getTransferV1InstructionDataSerializer(), transfer),
  20: instruction('CreateV2', getCreateV2InstructionDataSerializer(), create),
  21: instruction('CreateCollectionV2', getCreateCollectionV2InstructionDataSerializer(), createCollection),
  22: instruction(
    'AddExternalPluginAdapter',
    getAddExternalPluginAdapterV1InstructionDataSerializer(),
    addAgentIdentity,
  ),
  31: instruction('Execute', getExecuteV1InstructionDataSerializer(), execute),
}
const LAST_INSTRUCTION = 41

/** The part of MPL Core that agents need. */
export const core: StandIn = {
  address: CORE,
  process(ctx) {
    const number = ctx.data[0]
    if (number === undefined || number > LAST_INSTRUCTION) throw new ProgramError('BorshIoError')
    const run = INSTRUCTIONS[number]
    if (run) return run(ctx)
    ctx.log('This instruction needs the real program: npm run chain:programs')
    throw coreError('NotAvailable')
  },
}
