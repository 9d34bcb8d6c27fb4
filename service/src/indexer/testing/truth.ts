import { setTimeout as sleep } from 'node:timers/promises'
import type { World } from '@slipway/local-chain'
import type { Database } from '../../store/database.ts'
import { readStore } from './agreement.ts'

const NETWORK = 'chain-mainnet'
const PAUSE_MS = 250

interface Rewards {
  data: { buckets: { address: string; claimable: string }[] }
}

/**
 * Records what a service answers while its endpoints are honest and its store agrees with the chain. The returned
 * function lists every answer that differs.
 */
export async function watchForFalsehoods(
  service: { url: string; database: Database },
  world: World,
): Promise<(forMs: number, options?: { untilFirst: boolean }) => Promise<string[]>> {
  const falseAnswers = new Set<string>()
  const before = await readStore(service.database, NETWORK)
  const owners = Object.entries(before.agents as Record<string, { owner?: string }>)
  const owed = new Map<string, string>()
  for (const { wallet } of world.rewards)
    owed.set(
      wallet.address,
      print(await getJson<Rewards>(`${service.url}/v1/creator-rewards/${wallet.address}`)),
    )
  return async (forMs, { untilFirst } = { untilFirst: false }) => {
    const untilMs = Date.now() + forMs
    while (Date.now() < untilMs && !(untilFirst && falseAnswers.size > 0)) {
      await Promise.all([checkRewards(), checkAgents(), checkListings(), checkStore()])
      await sleep(PAUSE_MS)
    }
    return [...falseAnswers]
  }

  async function checkRewards() {
    for (const [wallet, expected] of owed) {
      const preview = await fetch(`${service.url}/v1/creator-rewards/${wallet}`)
      if (preview.status === 200 && print(await preview.json()) !== expected)
        falseAnswers.add(`preview of ${wallet} is not what the chain owes`)
      else if (preview.status !== 200 && preview.status !== 503)
        falseAnswers.add(`preview of ${wallet} answered ${preview.status}`)
      const claim = await fetch(`${service.url}/v1/creator-rewards/claim`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ wallet }),
      })
      const owes = /"claimable":"[1-9]/.test(expected)
      if (![503, owes ? 200 : 400].includes(claim.status))
        falseAnswers.add(`claim for ${wallet} answered ${claim.status} ${await claim.text()}`)
    }
  }

  async function checkAgents() {
    for (const [address, { owner }] of owners) {
      const response = await fetch(`${service.url}/v1/agents/${address}`)
      const { owner: served } = (await response.json()) as { owner?: string }
      if (response.status !== 200 || served !== owner)
        falseAnswers.add(`agent ${address} answered ${response.status} with owner ${served}`)
    }
  }

  async function checkListings() {
    const { data } = await getJson<{ data: { launch: Record<string, unknown> }[] }>(
      `${service.url}/v1/launches`,
    )
    const shown = new Map(data.map(({ launch }) => [launch.genesisAddress as string, launch]))
    for (const [address, launch] of Object.entries(before.launches))
      for (const field of ['mechanic', 'startTime', 'endTime', 'graduatedAt', 'lastActivityAt'] as const)
        if (shown.get(address)?.[field] !== (launch as Record<string, unknown>)[field])
          falseAnswers.add(`launch ${address} is listed with ${field} ${shown.get(address)?.[field]}`)
  }

  /** Nothing may disappear from the store, and nothing of another chain may enter it. */
  async function checkStore() {
    const { agents, buckets } = await readStore(service.database, NETWORK)
    if (JSON.stringify(agents) !== JSON.stringify(before.agents))
      falseAnswers.add('the stored agents changed')
    if (JSON.stringify(buckets) !== JSON.stringify(before.buckets))
      falseAnswers.add('the stored buckets changed')
  }
}

const print = (body: unknown) => JSON.stringify((body as Rewards).data.buckets)

async function getJson<T>(url: string): Promise<T> {
  return (await fetch(url)).json() as Promise<T>
}
