import { onTestFinished } from 'vitest'
import { type ChainRpc, createRpc } from '../../chain/rpc/create-rpc.ts'

/** What a test itself reads with. It waits for answers longer than a service does, because the machine may be busy. */
export function openTestRpc(url: string): ChainRpc {
  const rpc = createRpc({ urls: [url], cluster: 'any', limits: { attemptMs: 10_000, totalMs: 30_000 } })
  onTestFinished(() => rpc.close())
  return rpc
}
