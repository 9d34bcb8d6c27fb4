import { z } from 'zod'
import { ActivityFigures } from './activity.ts'
import { AddressString } from './address.ts'
import { Socials } from './launch.ts'
import { LaunchTrade } from './market.ts'
import { UNTRUSTED } from './marks.ts'
import { Network } from './network.ts'

/** What `GET /v1/events` reports. */
export const EVENT_TYPES = [
  'launch.registered',
  'launch.started',
  'launch.moved',
  'launch.trade',
  'launch.graduated',
  'launch.hidden',
  'agent.registered',
  'agent.changed',
] as const
export const EventType = z.enum(EVENT_TYPES)
export type EventType = z.infer<typeof EventType>

const Decimals = z.int().nullable().optional()

/** What has changed. Each type of event has some of these fields. */
const EventDetails = z.object({
  launch: z
    .object({
      name: z.string().meta({ ...UNTRUSTED, description: "The token's name." }),
      symbol: z.string().meta({ ...UNTRUSTED, description: "The token's symbol." }),
      image: z.string().meta({ ...UNTRUSTED, description: 'URL of the picture; empty if there is none.' }),
      website: z.string().meta({ ...UNTRUSTED, description: 'URL; empty if there is none.' }),
      socials: Socials,
    })
    .optional()
    .meta({ description: 'Of `launch.registered`, `launch.started` and `launch.graduated`.' }),
  figures: ActivityFigures.optional().meta({ description: 'Of `launch.moved`: the newest figures.' }),
  trade: LaunchTrade.optional().meta({ description: 'Of `launch.trade`.' }),
  agent: z
    .object({
      name: z.string().meta({ ...UNTRUSTED, description: "The agent's name." }),
      owner: AddressString.meta({ description: 'The wallet that owns the agent.' }),
      agentMetadataUri: z
        .string()
        .nullable()
        .meta({ ...UNTRUSTED, description: 'URI of the registration document; null if there is none.' }),
      agentToken: AddressString.nullable().meta({
        description: "The mint of the agent's token; null if it has none.",
      }),
    })
    .optional()
    .meta({
      description:
        'Sent with `agent.registered` and `agent.changed`. Absent if the agent was removed or hidden.',
    }),
  quoteDecimals: Decimals.meta({
    description: 'Of `launch.moved` and `launch.trade`: decimals of the quote token.',
  }),
  baseDecimals: Decimals.meta({ description: 'Decimals of the launched token.' }),
})
export type EventDetails = z.infer<typeof EventDetails>

export const EventData = z
  .object({
    network: Network.meta({ description: 'The network that it happened on.' }),
    address: AddressString.meta({ description: 'The launch or agent.' }),
    at: z.iso.datetime({ precision: 3 }).meta({ description: 'ISO 8601 UTC with milliseconds.' }),
    ...EventDetails.shape,
  })
  .meta({
    id: 'EventData',
    description: 'The launch or agent that an event is about, when it happened, and what has changed.',
  })
export type EventData = z.infer<typeof EventData>
