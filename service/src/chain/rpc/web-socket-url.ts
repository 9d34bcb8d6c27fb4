/**
 * Where a node takes subscriptions, derived as the ecosystem's clients do: the same URL with ws for http, and the port
 * one above when the URL names one, since a node that is asked directly listens there.
 */
export function webSocketUrl(rpcUrl: string): string {
  const [, scheme, credentials = '', host = '', port, rest = ''] = PARTS.exec(rpcUrl.trim()) ?? []
  if (scheme === undefined) throw new TypeError('not an http or https URL')
  const shifted = port === undefined ? '' : `:${Number(port) + 1}`
  return `${scheme.toLowerCase() === 'https' ? 'wss' : 'ws'}://${credentials}${host}${shifted}${rest}`
}

/** The text as it was given: a parsed URL no longer tells a default port that was named from one that was not. */
const PARTS = /^(https?):\/\/([^@/?#]*@)?(\[[^\]]+\]|[^:/?#[\]]+)(?::(\d+))?([/?#].*)?$/i
