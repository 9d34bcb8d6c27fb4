import { AGENT_TOOLS_PROGRAM } from '@slipway/launch-model/programs'
import type { StandIn } from '../stand-in.ts'
import { delegateExecution } from './delegate-execution.ts'
import { toolsError } from './errors.ts'
import { registerExecutive } from './register-executive.ts'
import { revokeExecution } from './revoke-execution.ts'

/** The agent tools program: who may act for an agent's wallet besides its owner. */
export const agentTools: StandIn = {
  address: AGENT_TOOLS_PROGRAM,
  process(ctx) {
    switch (ctx.data[0]) {
      case 0:
        ctx.log('Instruction: RegisterExecutiveV1')
        return registerExecutive(ctx)
      case 1:
        ctx.log('Instruction: DelegateExecutionV1')
        return delegateExecution(ctx)
      case 2:
        ctx.log('Instruction: RevokeExecutionV1')
        return revokeExecution(ctx)
      default:
        throw toolsError('InvalidInstructionData')
    }
  },
}
