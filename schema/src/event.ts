import { z } from 'zod'
import { AddressString } from './address.ts'
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

export const EventData = z
  .object({
    network: Network.meta({ description: 'The network that it happened on.' }),
    address: AddressString.meta({ description: 'The launch or agent.' }),
    at: z.iso.datetime({ precision: 3 }).meta({ description: 'ISO 8601 UTC with milliseconds.' }),
  })
  .meta({ id: 'EventData', description: 'The launch or agent that an event is about, and when it happened.' })
export type EventData = z.infer<typeof EventData>
