import { setTimeout as sleep } from 'node:timers/promises'
import type { Attack } from '../attack.ts'
import { percentile } from '../figure.ts'
import { type Client, createClient } from '../http-client.ts'
import type { Target } from '../target.ts'

const CLIENTS = 32
const CONNECTIONS_EACH = 16
const TICK_MS = 5

/** Five times as many withdrawals as the service can build, from many clients. */
export const overload: Attack = {
  name: 'overload',
  environment: { RATE_LIMIT_READS: '0', RATE_LIMIT_WRITES: '0' },
  async run(target, { isShort }) {
    const seconds = isShort ? 4 : 15
    const clients = Array.from({ length: CLIENTS }, (_, at) =>
      createClient(target.port, { localAddress: `127.2.0.${at + 1}`, connections: CONNECTIONS_EACH }),
    )
    const one = clients[0] as Client
    await measureOne(target, one, 500)
    const unloaded = await measureOne(target, one, isShort ? 1_000 : 3_000)
    const capacity = await measureCapacity(target, clients, isShort ? 2 : 5)
    const { accepted, refused, failed, offered } = await offer(target, clients, capacity * 5, seconds)
    const recoveredMs = await waitForQuickAnswer(target, one, percentile(unloaded, 0.99) * 2)
    for (const client of clients) client.close()
    return [
      { what: 'capacity, withdrawals per second', value: capacity, unit: 'requests' },
      { what: 'offered per second', value: offered / seconds, unit: 'requests' },
      { what: 'accepted per second', value: accepted.length / seconds, unit: 'requests' },
      { what: 'refused with 503 per second', value: refused / seconds, unit: 'requests' },
      { what: 'p99 alone', value: percentile(unloaded, 0.99), unit: 'ms' },
      { what: 'median of accepted requests', value: percentile(accepted, 0.5), unit: 'ms' },
      { what: 'p99 of accepted requests', value: percentile(accepted, 0.99), unit: 'ms' },
      { what: 'answers other than 200 and 503', value: failed, unit: 'answers', atMost: 0 },
      {
        what: 'until requests are answered as quickly as before',
        value: recoveredMs,
        unit: 'ms',
        atMost: isShort ? 3_000 : 1_000,
      },
    ]
  },
}

function withdraw({ chain }: Target, client: Client) {
  const agent = chain.agents[0]
  return client.send('POST', `/v1/agents/${agent?.address}/withdraw`, {
    body: { sender: agent?.owner, amount: 0.000001 },
  })
}

async function measureOne(target: Target, client: Client, forMs: number): Promise<number[]> {
  const times: number[] = []
  for (const end = Date.now() + forMs; Date.now() < end; ) times.push((await withdraw(target, client)).ms)
  return times
}

/** The most that the service builds per second, with a few requests at a time. */
async function measureCapacity(target: Target, clients: readonly Client[], seconds: number): Promise<number> {
  let built = 0
  const end = Date.now() + seconds * 1_000
  await Promise.all(
    clients.slice(0, 16).map(async client => {
      while (Date.now() < end) if ((await withdraw(target, client)).status === 200) built += 1
    }),
  )
  return built / seconds
}

/** Sends at a fixed rate, whether or not earlier requests have been answered. */
async function offer(target: Target, clients: readonly Client[], perSecond: number, seconds: number) {
  const accepted: number[] = []
  let refused = 0
  let failed = 0
  let offered = 0
  const open = new Set<Promise<void>>()
  const start = performance.now()
  for (let elapsed = 0; elapsed < seconds * 1_000; elapsed = performance.now() - start) {
    while (offered < (perSecond * elapsed) / 1_000) {
      const client = clients[offered % clients.length] as Client
      offered += 1
      // The generator must not become the bottleneck: what can't be sent now is not offered later.
      if (open.size >= CLIENTS * CONNECTIONS_EACH) continue
      const request = withdraw(target, client).then(
        ({ status, ms }) => {
          if (status === 200) accepted.push(ms)
          else if (status === 503) refused += 1
          else failed += 1
        },
        () => {
          failed += 1
        },
      )
      open.add(request)
      request.finally(() => open.delete(request))
    }
    await sleep(TICK_MS)
  }
  await Promise.all(open)
  return { accepted, refused, failed, offered }
}

async function waitForQuickAnswer(target: Target, client: Client, withinMs: number): Promise<number> {
  const start = performance.now()
  for (let quick = 0; quick < 5; ) {
    const { status, ms } = await withdraw(target, client)
    quick = status === 200 && ms <= withinMs ? quick + 1 : 0
    if (performance.now() - start > 10_000) break
  }
  return performance.now() - start
}
