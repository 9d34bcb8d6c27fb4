import type { Attack } from '../attack.ts'
import { percentile } from '../figure.ts'
import { createClient } from '../http-client.ts'
import { type LoadOptions, startLoadProcess } from '../load-process.ts'
import type { Target } from '../target.ts'
import { UNLIMITED } from '../unlimited.ts'

/** With this many requests at a time, the service builds as many as it can. */
const CAPACITY_CONNECTIONS = 16
const CONNECTIONS = 512

/** Five times as many withdrawals as the service can build, from many clients. */
export const overload: Attack = {
  name: 'overload',
  environment: UNLIMITED,
  async run(target, { isShort }) {
    const { send, stop } = startLoadProcess()
    const [seconds, longer] = isShort ? [0.4, 0.8] : [4, 15]
    const request = withdrawalBytes(target)
    const load = async (options: Omit<LoadOptions, 'port' | 'request'>) => {
      const { times, broken } = await send({ port: target.port, request, ...options })
      const { 200: accepted = [], 503: refused = [], ...others } = times
      return { accepted, refused, failed: broken + Object.values(others).flat().length }
    }
    const measureCapacity = () => load({ seconds, connections: CAPACITY_CONNECTIONS })
    await measureCapacity()
    const capacity = (await measureCapacity()).accepted.length / seconds
    const half = await load({ seconds, connections: CONNECTIONS, perSecond: capacity / 2 })
    const usualMs = percentile(half.accepted, 0.99)
    const over = await load({ seconds: longer, connections: CONNECTIONS, perSecond: capacity * 5 })
    stop()
    const recoveredMs = await waitForQuickAnswer(target, usualMs * 2)
    const acceptedMs = percentile(over.accepted, 0.99)
    const acceptedPerSecond = over.accepted.length / longer
    return [
      { what: 'capacity, withdrawals per second', value: capacity, unit: 'requests' },
      { what: 'accepted per second at five times that', value: acceptedPerSecond, unit: 'requests' },
      { what: 'refused with 503 per second', value: over.refused.length / longer, unit: 'requests' },
      {
        what: 'capacity compared with what was accepted',
        value: capacity / acceptedPerSecond,
        unit: 'times',
        atMost: 2,
      },
      { what: 'p99 at half the capacity', value: usualMs, unit: 'ms' },
      { what: 'median of accepted requests', value: percentile(over.accepted, 0.5), unit: 'ms' },
      { what: 'p99 of accepted requests', value: acceptedMs, unit: 'ms' },
      { what: 'p99 compared with half the capacity', value: acceptedMs / usualMs, unit: 'times' },
      {
        what: 'answers other than 200 and 503',
        value: half.failed + over.failed,
        unit: 'answers',
        atMost: 0,
      },
      {
        what: 'until requests are answered as quickly as before',
        value: recoveredMs,
        unit: 'ms',
        atMost: 1_000,
      },
    ]
  },
}

const withdrawal = ({ chain: { agents } }: Target) => ({
  path: `/v1/agents/${agents[0]?.address}/withdraw`,
  body: { sender: agents[0]?.owner, amount: 0.000001 },
})

function withdrawalBytes(target: Target): string {
  const { path, body } = withdrawal(target)
  const json = JSON.stringify(body)
  return `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${json.length}\r\n\r\n${json}`
}

async function waitForQuickAnswer(target: Target, withinMs: number): Promise<number> {
  const client = createClient(target.port)
  const { path, body } = withdrawal(target)
  const start = performance.now()
  for (let quick = 0; quick < 5; ) {
    const { status, ms } = await client.send('POST', path, { body })
    quick = status === 200 && ms <= withinMs ? quick + 1 : 0
    if (performance.now() - start > 10_000) break
  }
  client.close()
  return performance.now() - start
}
