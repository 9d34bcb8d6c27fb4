import type { Attack } from '../attack.ts'
import type { Figure } from '../figure.ts'
import { type Client, createClient } from '../http-client.ts'
import type { Target } from '../target.ts'

/** The documentation promises 3 s. */
const DEADLINE_MS = 3_500
const MEMORY_MS = 500

/** The RPC accepts requests and never answers. */
export const hangingRpc: Attack = {
  name: 'hanging RPC',
  async run(target) {
    const client = createClient(target.port, { localAddress: '127.0.0.110' })
    await warmUp(target, client)
    target.rpc.hang()
    try {
      return await measureAll(target, client)
    } finally {
      target.rpc.resume()
      client.close()
    }
  },
}

/** Every process of the database is stopped, and no connection is closed. */
export const frozenDatabase: Attack = {
  name: 'frozen database',
  async run(target) {
    const client = createClient(target.port, { localAddress: '127.0.0.111' })
    await warmUp(target, client)
    target.freezeDatabase()
    try {
      const reads = await client.send('GET', '/readyz?for=reads')
      return [
        ...(await measureAll(target, client)),
        {
          what: '/readyz?for=reads unready',
          value: reads.status === 200 ? 0 : 1,
          unit: 'answers',
          atMost: 0,
        },
      ]
    } finally {
      target.resumeDatabase()
      client.close()
    }
  },
}

async function warmUp({ chain }: Target, client: Client) {
  for (const { address } of chain.agents) await client.send('GET', `/v1/agents/${address}`)
}

async function measureAll({ chain }: Target, client: Client): Promise<Figure[]> {
  const [agent] = chain.agents
  const [wallet] = chain.wallets
  const figures: Figure[] = []
  const measure = async (what: string, method: string, path: string, body: unknown, atMost: number) => {
    const { status, ms } = await client.send(method, path, { body })
    figures.push({ what: `${what} (${status})`, value: ms, unit: 'ms', atMost })
  }
  const waiting = [
    measure('claim', 'POST', '/v1/creator-rewards/claim', { wallet }, DEADLINE_MS),
    measure(
      'withdrawal',
      'POST',
      `/v1/agents/${agent?.address}/withdraw`,
      { sender: agent?.owner, amount: 0.001 },
      DEADLINE_MS,
    ),
    measure('registration', 'POST', '/v1/launches/register', chain.registrations[0], DEADLINE_MS),
    measure('a page of launches', 'GET', '/v1/launches?limit=50', undefined, DEADLINE_MS),
  ]
  await measure('an agent in memory', 'GET', `/v1/agents/${agent?.address}`, undefined, MEMORY_MS)
  await measure('a listing', 'GET', '/v1/launches', undefined, MEMORY_MS)
  await Promise.all(waiting)
  return figures
}
