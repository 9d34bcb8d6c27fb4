import type { StandIn } from '../stand-in.ts'
import { IDENTITY, identityError } from './checks.ts'
import { registerIdentity } from './register-identity.ts'
import { setAgentToken } from './set-agent-token.ts'

/** The agent identity program. */
export const identity: StandIn = {
  address: IDENTITY,
  process(ctx) {
    switch (ctx.data[0]) {
      case 0:
        ctx.log('Instruction: RegisterIdentityV1')
        registerIdentity(ctx)
        return
      case 1:
        ctx.log('Instruction: SetAgentTokenV1')
        setAgentToken(ctx)
        return
      default:
        throw identityError('InvalidInstructionData')
    }
  },
}
