import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { createNetworkListings } from '@slipway/service/launches/listing/network-listings'
import { median } from '../lib/report.ts'
import { sampleLaunch } from '../lib/sample-launches.ts'

export interface ChangeCost {
  rebuildMs: number
  rebuildBlockMsMax: number
  changeMs: number
  changeBlockMsMax: number
  peakMegabytes: number
}

const CHANGES = 40
const create = () =>
  createNetworkListings({
    launchPage: 'https://slipway.example/launches/{genesisAddress}',
    clock: Date.now,
  })

export async function measureChangeCost(launches: number): Promise<ChangeCost> {
  const listings = create()
  const listed = Array.from({ length: launches }, (_, index) => listings.toListed(sampleLaunch(index)))
  const rebuild = await timed(() => listings.update(listed, []))
  await sleep(200)

  const changes: { ms: number; blockMs: number }[] = []
  for (let change = 0; change < CHANGES; change += 1) {
    // Some launch, anywhere in the listing, is active now and moves to the top.
    const record = { ...sampleLaunch(Math.floor(Math.random() * launches)), lastActivityAt: new Date() }
    changes.push(await timed(() => listings.update([listings.toListed(record)], [])))
    await sleep(20)
  }
  return {
    rebuildMs: rebuild.ms,
    rebuildBlockMsMax: rebuild.blockMs,
    changeMs: median(changes.map(({ ms }) => ms)),
    changeBlockMsMax: Math.max(...changes.map(({ blockMs }) => blockMs)),
    peakMegabytes: process.resourceUsage().maxRSS / 1_024,
  }
}

/** How long the work took, and the longest time for which nothing else could run. */
async function timed(work: () => Promise<unknown>): Promise<{ ms: number; blockMs: number }> {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  await sleep(5)
  delay.reset()
  const start = performance.now()
  await work()
  const ms = performance.now() - start
  await sleep(2)
  delay.disable()
  return { ms, blockMs: delay.max / 1e6 }
}
