import { AddressString } from '@slipway/schema/address'
import { ServiceError } from '@slipway/schema/errors'
import { EVENT_TYPES, EventData, type EventType } from '@slipway/schema/event'
import { NETWORKS, type Network, NetworkFilter } from '@slipway/schema/network'
import { z } from 'zod'
import { defineEndpoint, type Endpoint, type ResponseStream } from '../endpoint/endpoint.ts'
import type { EventFeed } from './event-feed.ts'
import { retryLine, STREAMS_PER_CLIENT_MAX } from './event-streams.ts'

const isType = (text: string): text is EventType => EVENT_TYPES.some(type => type === text)

const FollowEventsQuery = z.object({
  network: NetworkFilter,
  types: z
    .string()
    .transform(text => text.split(','))
    .refine((types): types is EventType[] => types.every(isType))
    .optional()
    .meta({
      description: `Types of events, comma-separated: ${EVENT_TYPES.join(', ')}. All but \`launch.trade\` by default.`,
    }),
  address: AddressString.optional().meta({ description: 'Only events of this launch or agent.' }),
})

export function followEventsEndpoint({
  events,
  chains,
}: {
  events: EventFeed
  /** The networks that this deployment serves. */
  chains: Partial<Record<Network, unknown>>
}): Endpoint {
  const served = NETWORKS.filter(network => chains[network])
  return defineEndpoint({
    method: 'GET',
    path: '/v1/events',
    id: 'followEvents',
    tag: 'Events',
    summary: 'Follow events',
    description: `Server-sent events about launches and agents, as they happen, each with what has changed.

- A client that reconnects and sends the last id in \`Last-Event-ID\` gets everything since then, on any node, for at least an hour.
- If the id is older or unknown, the first event is \`reset\`: events may be missing, and the stream starts from now.
- A comment every 15 seconds keeps the connection open.
- A client can have ${STREAMS_PER_CLIENT_MAX} streams. One that reads too slowly is disconnected.`,
    query: FollowEventsQuery,
    headers: {
      'Last-Event-ID':
        'The id of the last event that the client has. `EventSource` sends it when it reconnects.',
    },
    faults: { network: 'INVALID_NETWORK', types: 'INVALID_TYPES', address: 'INVALID_ADDRESS' },
    success: {
      description: "A stream of events. The schema describes each event's `data`.",
      contentType: 'text/event-stream',
      schema: EventData,
      example: {
        network: 'chain-mainnet',
        address: '7nE9GvcwsqzYcPUYfm5gxzCKfmPqi68FM7gPaSfG6EQN',
        at: '2026-11-14T09:30:00.000Z',
        figures: {
          raised: '42500000000',
          sold: '476190476190476',
          supply: '800000000000000',
          price: '0.000000120416666666',
          progress: 0.595238,
          participants: null,
          creatorFees: '425000000',
        },
        quoteDecimals: 9,
        baseDecimals: 6,
      },
    },
    errors: ['NETWORK_NOT_SERVED', 'TOO_MANY_STREAMS', 'STREAMS_FULL'],
    async answer({ query: { network, types, address }, client, headers, deadline }) {
      if (network && !chains[network]) throw new ServiceError('NETWORK_NOT_SERVED')
      const contentType = 'text/event-stream'
      // This is not an error response, because `EventSource` gives up after one.
      if (!events.isOpen()) return { kind: 'stream', contentType, start: endAtOnce }
      const start = await events.findStart(headers['last-event-id'])
      // After the deadline, the caller has got a 503, and the stream's slot would never be released.
      deadline.assertInTime()
      const open = events.reserve(client)
      const filter = { networks: network ? [network] : served, types, address }
      return { kind: 'stream', contentType, start: stream => open(stream, { filter, ...start }) }
    },
  })
}

function endAtOnce(stream: ResponseStream) {
  stream.write(Buffer.from(`${retryLine()}\n`))
  stream.end()
}
