/** A /48 counts as at most this many clients. */
const CLIENTS_MAX = 16

/**
 * The /48 of an IPv6 client (`2001:db8:1:2::/64`); undefined for any other client. A campus has one, and so does an
 * attacker, who can use all of its 65,536 clients.
 */
export function networkOf(client: string): string | undefined {
  if (!client.endsWith('::/64')) return undefined
  return `${client.slice(0, client.lastIndexOf(':', client.length - '::/64'.length - 1))}::/48`
}

/** What all clients of a /48 together may have: several times as much as one, and never more than half of what is free. */
export const networkMax = (perClient: number, free = Number.POSITIVE_INFINITY): number =>
  Math.min(CLIENTS_MAX * perClient, Math.max(1, free / 2))

/** Whether the client's /48 may take another place. `countOf` returns how many places the network has. */
export function hasNetworkPlace(
  client: string,
  { perClient, free, countOf }: { perClient: number; free?: number; countOf(network: string): number },
): boolean {
  const network = networkOf(client)
  return network === undefined || countOf(network) < networkMax(perClient, free)
}
