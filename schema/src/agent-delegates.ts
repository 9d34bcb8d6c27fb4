import { z } from 'zod'
import { AddressString } from './address.ts'
import { Success } from './transaction.ts'

const AgentDelegate = z
  .object({
    record: AddressString.meta({
      description:
        'The account that records the delegation on the chain. To revoke the delegation, send this address.',
    }),
    executive: AddressString.meta({
      description:
        "The account that registered the delegate's wallet as an executive, a wallet that owners can appoint.",
    }),
    wallet: AddressString.meta({
      description: "The delegate's wallet, which can spend everything in the agent's wallet.",
    }),
    since: z.iso
      .datetime({ precision: 3 })
      .nullable()
      .meta({ description: 'When the index first saw the delegation; null before that.' }),
    byFormerOwner: z.boolean().meta({
      description:
        "Whether somebody else owned the agent when the index first saw the delegation. False doesn't prove that the present owner appointed the delegate.",
    }),
  })
  .meta({ id: 'AgentDelegate' })

export const AgentDelegates = z
  .object({
    delegates: z.array(AgentDelegate).meta({ description: 'The delegates, oldest first; at most 200.' }),
    total: z.int().min(0).meta({ description: 'How many delegates there are.' }),
  })
  .meta({ id: 'AgentDelegates' })
export type AgentDelegates = z.infer<typeof AgentDelegates>

export const AgentDelegatesBody = z.object({ success: Success, data: AgentDelegates })
