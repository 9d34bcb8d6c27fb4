import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Chain } from '@slipway/local-chain/ledger/create-chain'
import { startLocalChain } from '@slipway/local-chain/start-local-chain'

const NETWORK = 'chain-mainnet'
/** Slots go on after a move, as nodes expect, but not for long: nothing becomes final until the next move. */
const RUN_MS_MAX = 8_000

/** An embedded chain whose clock the caller moves, and which can go back to an earlier state. */
export interface ForkingChain {
  rpcUrl: string
  wsUrl: string
  /** Another one after each fork. */
  chain(): Chain
  nowMs(): number
  /** The chain is in the slot of this time now. */
  moveTo(nowMs: number): void
  /** Everything that happens from now on will be on a fork that can be dropped. */
  fork(): void
  /** Drops what has happened since `fork`. Connections end, as they do when an endpoint is replaced by another one. */
  dropFork(): Promise<void>
  close(): Promise<void>
}

export async function startForkingChain(startMs: number): Promise<ForkingChain> {
  const dataDir = mkdtempSync(join(tmpdir(), 'slipway-fork-'))
  const [folder, copy] = [join(dataDir, 'chain', NETWORK), join(dataDir, 'copy')]
  let moved = { toMs: startMs, atMs: performance.now() }
  const nowMs = () => moved.toMs + Math.floor(Math.min(performance.now() - moved.atMs, RUN_MS_MAX))
  const start = (ports: { port: number; wsPort?: number }) =>
    startLocalChain({ network: NETWORK, dataDir, now: nowMs, ...ports })
  let local = await start({ port: 0 })
  const { rpcUrl, wsUrl } = local
  return {
    rpcUrl,
    wsUrl,
    chain: () => local.chain,
    nowMs,
    moveTo(nextMs) {
      moved = { toMs: nextMs, atMs: performance.now() }
      local.chain.tick()
    },
    fork() {
      cpSync(folder, copy, { recursive: true })
    },
    async dropFork() {
      await local.close()
      rmSync(folder, { recursive: true })
      cpSync(copy, folder, { recursive: true })
      rmSync(copy, { recursive: true })
      local = await start({ port: portOf(rpcUrl), wsPort: portOf(wsUrl) })
    },
    async close() {
      await local.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

const portOf = (url: string) => Number(new URL(url).port)
