import { AgentCard } from '@slipway/schema/agent'

/** Empty when clients of A2A 0.3 or 1.0 can read it. */
export function faultsOfCard(body: Uint8Array): string[] {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return ['it is not JSON in UTF-8']
  }
  const parsed = AgentCard.safeParse(value)
  if (!parsed.success)
    return parsed.error.issues
      .map(({ path, message }) => `${path.join('.') || 'the whole'}: ${message}`)
      .slice(0, 5)
  const { supportedInterfaces, protocolVersion, url } = parsed.data
  const isReadable =
    (supportedInterfaces?.length ?? 0) > 0 || (protocolVersion !== undefined && url !== undefined)
  return isReadable ? [] : ['it needs supportedInterfaces (A2A 1.0), or url and protocolVersion (A2A 0.3)']
}
