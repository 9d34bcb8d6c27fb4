import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
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
  /** Of the listing of all launches, by its encoding. */
  listingBytes: Record<(typeof ENCODINGS)[number], number>
}

const ENCODINGS = ['identity', 'gzip', 'br'] as const

/** Starts a node in this process, which must be fresh, and measures until it serves every launch. */
export async function measureStart(connection: ConnectionOptions): Promise<StartCost> {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const start = performance.now()
  const port = await serveNode(connection)
  const url = `http://127.0.0.1:${port}/v1/launches`
  const response = await fetch(url, { headers: { 'Accept-Encoding': 'gzip' } })
  if (response.status !== 200) throw new Error(`the launches were answered with ${response.status}`)
  const seconds = (performance.now() - start) / 1_000
  delay.disable()
  await response.body?.cancel()
  const { cpuMicros, peakMegabytes } = await usage()
  // Buffers that nothing uses are given back a moment after a collection.
  for (let round = 0; round < 3; round += 1) {
    globalThis.gc?.()
    await pause(200)
  }
  const { heapUsed, external } = process.memoryUsage()
  return {
    seconds,
    cpuSeconds: cpuMicros / 1e6,
    blockMs: delay.max / 1e6,
    peakMegabytes,
    heapMegabytes: heapUsed / 2 ** 20,
    bufferMegabytes: external / 2 ** 20,
    listingBytes: {
      identity: await readLength(url, 'identity'),
      gzip: await readLength(url, 'gzip'),
      br: await readLength(url, 'br'),
    },
  }
}

/** How long the listing is in this encoding. Brotli is ready a while after the others. */
async function readLength(url: string, encoding: (typeof ENCODINGS)[number]): Promise<number> {
  for (;;) {
    const { headers } = await fetch(url, { method: 'HEAD', headers: { 'Accept-Encoding': encoding } })
    if ((headers.get('Content-Encoding') ?? 'identity') === encoding)
      return Number(headers.get('Content-Length'))
    await pause(500)
  }
}
