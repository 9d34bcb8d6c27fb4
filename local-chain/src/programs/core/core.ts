import { type Invocation, ProgramError, type StandIn } from '../stand-in.ts'
import { addAgentIdentity } from './add-agent-identity.ts'
import { burn } from './burn.ts'
import { CORE } from './checks.ts'
import { create } from './create.ts'
import { createCollection } from './create-collection.ts'
import { coreError } from './errors.ts'
import { execute } from './execute.ts'
import { transfer } from './transfer.ts'

const INSTRUCTIONS: Record<number, [name: string, run: (ctx: Invocation) => void]> = {
  0: ['Create', create],
  1: ['CreateCollection', createCollection],
  12: ['Burn', burn],
  14: ['Transfer', transfer],
  20: ['CreateV2', create],
  21: ['CreateCollectionV2', createCollection],
  22: ['AddExternalPluginAdapter', addAgentIdentity],
  31: ['Execute', execute],
}
const LAST_INSTRUCTION = 41

/** MPL Core, as far as agents need it. */
export const core: StandIn = {
  address: CORE,
  process(ctx) {
    const number = ctx.data[0]
    if (number === undefined || number > LAST_INSTRUCTION) throw new ProgramError('BorshIoError')
    const known = INSTRUCTIONS[number]
    if (!known) {
      ctx.log('This instruction needs the real program: npm run chain:programs')
      throw coreError('NotAvailable')
    }
    ctx.log(`Instruction: ${known[0]}`)
    known[1](ctx)
  },
}
