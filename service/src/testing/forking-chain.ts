import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CONDITIONS } from '@slipway/local-chain/conditions'
import type { Chain } from '@slipway/local-chain/ledger/create-chain'
import { startLocalChain } from '@slipway/local-chain/start-local-chain'

const NETWORK = 'chain-mainnet'
/** Longer than usual: nodes refuse answers from slots that a chain can't have reached in the time that a test takes. */
export const SLOT_MS = 30_000
const TICK_MS = 400
/** Slots go on after a move, as nodes expect, but not for long: nothing becomes final until the next move. */
const TICKS_MAX = 20

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
  const ticks = () => Math.min(Math.floor((performance.now() - moved.atMs) / TICK_MS), TICKS_MAX)
  const nowMs = () => moved.toMs + ticks() * SLOT_MS
  const start = (ports: { port: number; wsPort?: number }) =>
    startLocalChain({
      network: NETWORK,
      dataDir,
      conditions: { ...CONDITIONS, slotMs: SLOT_MS },
      now: nowMs,
      ...ports,
    })
  let local = await start({ port: 0 })
  const { rpcUrl, wsUrl } = local
  let isClosed = false
  const timer = setInterval(() => isClosed || local.chain.tick(), TICK_MS)
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
      isClosed = true
      await local.close()
      rmSync(folder, { recursive: true })
      cpSync(copy, folder, { recursive: true })
      rmSync(copy, { recursive: true })
      local = await start({ port: portOf(rpcUrl), wsPort: portOf(wsUrl) })
      isClosed = false
    },
    async close() {
      clearInterval(timer)
      await local.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

const portOf = (url: string) => Number(new URL(url).port)
