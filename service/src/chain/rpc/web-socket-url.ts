/**
 * The WebSocket URL that belongs to an RPC URL, derived as the ecosystem's clients do: ws instead of http, and the next
 * port if the URL names one, where a validator listens for subscriptions.
 */
export function webSocketUrl(rpcUrl: string): string {
  const [, scheme, credentials = '', host = '', port, rest = ''] = PARTS.exec(rpcUrl.trim()) ?? []
  if (scheme === undefined) throw new TypeError('not an http or https URL')
  const shifted = port === undefined ? '' : `:${Number(port) + 1}`
  return `${scheme.toLowerCase() === 'https' ? 'wss' : 'ws'}://${credentials}${host}${shifted}${rest}`
}

/** Works on the original text: a parsed URL no longer shows whether a default port was given explicitly. */
const PARTS = /^(https?):\/\/([^@/?#]*@)?(\[[^\]]+\]|[^:/?#[\]]+)(?::(\d+))?([/?#].*)?$/i
