const TIMEOUT_MS = 10_000

/** The balance of an account in the smallest unit, as the public RPC reports it. */
export async function fetchBalance(url: string, address: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getBalance', params: [address] }),
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    referrerPolicy: 'no-referrer',
    credentials: 'omit',
  })
  const { result } = (await response.json()) as { result?: { value?: unknown } }
  if (!Number.isSafeInteger(result?.value)) throw new Error('the RPC did not answer with a balance')
  return `${result?.value}`
}
