import type { Address } from '@slipway/schema/address'
import type { EventType } from '@slipway/schema/event'
import type { Network } from '@slipway/schema/network'
import type { LoggedEvent } from './event-log.ts'

/** Which events a client wants. */
export interface EventFilter {
  networks: readonly Network[]
  /** All types but trades if absent: there can be many of them. */
  types?: readonly EventType[] | undefined
  /** Of one launch or agent; all if absent. */
  address?: Address | undefined
}

/** Equal filters have the same key, so that their streams share the bytes that they send. */
export const keyOf = ({ networks, types, address }: EventFilter): string =>
  `${[...networks].sort()} ${types ? [...new Set(types)].sort() : '*'} ${address ?? '*'}`

function matches({ networks, types, address }: EventFilter, event: LoggedEvent): boolean {
  return (
    networks.includes(event.network) &&
    (types ? types.includes(event.type) : event.type !== 'launch.trade') &&
    (address === undefined || address === event.address)
  )
}

/** The bytes of the matching events. Undefined if there are none. */
export function joinMatching(
  filter: EventFilter,
  events: readonly LoggedEvent[],
): { bytes: Buffer; count: number } | undefined {
  const found = events.filter(event => matches(filter, event))
  const [first] = found
  if (!first) return undefined
  const bytes = found.length === 1 ? first.bytes : Buffer.concat(found.map(event => event.bytes))
  return { bytes, count: found.length }
}
