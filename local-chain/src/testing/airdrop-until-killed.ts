import { startLocalChain } from '../index.ts'
import { createKeypair } from '../ledger/keypair.ts'

/** Requests airdrops and prints each confirmed one, until it is killed. The small journal makes snapshots frequent. */
const local = await startLocalChain({
  network: 'chain-mainnet',
  dataDir: process.argv[2] as string,
  port: 0,
  journalBytesMax: 10_000,
})
for (let lamports = 1_000_000; ; lamports++) {
  const { address } = createKeypair()
  const response = await fetch(local.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'requestAirdrop', params: [address, lamports] }),
  })
  const { error } = (await response.json()) as { error?: unknown }
  if (error) throw new Error(JSON.stringify(error))
  process.stdout.write(`${JSON.stringify({ address, lamports })}\n`)
}
