import { isIPv4 } from 'node:net'

/** A network that counts as one client, with a multiple of a single client's limits. */
export interface ClientNetwork {
  /** The prefix of this network's stored clients. */
  prefix: string
  times: number
}

/**
 * How a client is stored: an IPv6 network (`2001:db8:1:2::/64`) has all its digits, so that all clients in a larger
 * network share a prefix. The slash keeps `192.0.2.1` from being the start of `192.0.2.10`.
 */
export const storedClient = (client: string): string => {
  const groups = parseNetwork(client)
  return groups ? `${groups.join(':')}/` : `${client}/`
}

/**
 * The networks that a client belongs to, smallest first. Providers give one customer an IPv6 /56 or /48, so a limit
 * for each /64 alone would not limit anyone. An IPv4 customer usually has one address, and rents adjacent ones to get
 * more.
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
