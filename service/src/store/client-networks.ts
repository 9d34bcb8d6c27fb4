import { isIPv4 } from 'node:net'

/** A network that counts as one client, with a multiple of a single client's limits. */
export interface ClientNetwork {
  /** How the stored clients of this network start. */
  prefix: string
  times: number
}

/**
 * How a client is stored: an IPv6 network (`2001:db8:1:2::/64`) with all its digits, so that the clients of a larger network
 * start alike. The slash keeps `192.0.2.1` from being the start of `192.0.2.10`.
 */
export const storedClient = (client: string): string => {
  const groups = parseNetwork(client)
  return groups ? `${groups.join(':')}/` : `${client}/`
}

/**
 * The networks that a client belongs to, the smallest first. Providers give one customer a /56 or a /48 of IPv6, so a limit for
 * each /64 alone is none. An IPv4 customer usually has one address, and rents more of them next to each other.
 */
export function listClientNetworks(client: string): ClientNetwork[] {
  const stored = storedClient(client)
  if (parseNetwork(client))
    return [
      { prefix: stored, times: 1 },
      { prefix: stored.slice(0, '2001:0db8:0001:00'.length), times: 2 },
      { prefix: stored.slice(0, '2001:0db8:0001:'.length), times: 4 },
    ]
  if (isIPv4(client))
    return [
      { prefix: stored, times: 1 },
      { prefix: client.slice(0, client.lastIndexOf('.') + 1), times: 4 },
    ]
  return [{ prefix: stored, times: 1 }]
}

/** The four groups of an IPv6 network, with all digits; undefined for anything else. */
function parseNetwork(client: string): string[] | undefined {
  const groups = /^([\da-f]{1,4}(?::[\da-f]{1,4}){3})::\/64$/.exec(client)?.[1]?.split(':')
  return groups?.map(group => group.padStart(4, '0'))
}
