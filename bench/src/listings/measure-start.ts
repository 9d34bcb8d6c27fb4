import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { ConnectionOptions } from '@slipway/service/store/database'
import { usage } from '../lib/child.ts'
import { serveNode } from '../lib/serve-node.ts'

export interface StartCost {
  seconds: number
  cpuSeconds: number
  /** The longest time for which nothing else could run. */
  blockMs: number
  peakMegabytes: number
  /** What it keeps: objects and strings, and buffers. */
  heapMegabytes: number
  bufferMegabytes: number
}

/** Starts a node in this process, which must be fresh, and measures until it serves every launch. */
export async function measureStart(connection: ConnectionOptions): Promise<StartCost> {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const start = performance.now()
  const port = await serveNode(connection)
  const response = await fetch(`http://127.0.0.1:${port}/v1/launches`, {
    headers: { 'Accept-Encoding': 'gzip' },
  })
  if (response.status !== 200) throw new Error(`the launches were answered with ${response.status}`)
  const seconds = (performance.now() - start) / 1_000
  delay.disable()
  await response.body?.cancel()
  const { cpuMicros, peakMegabytes } = await usage()
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return {
    seconds,
    cpuSeconds: cpuMicros / 1e6,
    blockMs: delay.max / 1e6,
    peakMegabytes,
    heapMegabytes: heapUsed / 2 ** 20,
    bufferMegabytes: external / 2 ** 20,
  }
}
