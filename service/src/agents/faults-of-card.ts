import { AgentCard } from '@slipway/schema/agent'

/** Empty when clients of A2A 0.3 or 1.0 can read it, and we can. */
export function faultsOfCard(body: Uint8Array): string[] {
  let value: unknown
  try {
    // A byte order mark stays in and makes it no JSON: it would be served with the card, and many readers trip over it.
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body))
  } catch {
    return ['it is not JSON in UTF-8 without a byte order mark']
  }
  const parsed = AgentCard.safeParse(value)
  if (!parsed.success)
    return parsed.error.issues
      .map(({ path, message }) => `${path.join('.') || 'the whole'}: ${message}`)
      .slice(0, 5)
  const { supportedInterfaces = [], protocolVersion, url } = parsed.data
  // One interface that lacks these is enough for readers of 1.0 to fail on the whole card.
  const lacking = supportedInterfaces.flatMap((one, at) =>
    (['protocolBinding', 'protocolVersion'] as const)
      .filter(name => !one[name])
      .map(name => `supportedInterfaces.${at}.${name}: it is missing`),
  )
  if (lacking.length > 0) return lacking.slice(0, 5)
  const isReadable = supportedInterfaces.length > 0 || (protocolVersion && url)
  return isReadable ? [] : ['it needs supportedInterfaces (A2A 1.0), or url and protocolVersion (A2A 0.3)']
}
