import { setTimeout as sleep } from 'node:timers/promises'
import type { Figure } from './figure.ts'
import { type Client, createClient } from './http-client.ts'
import { pick, type Random } from './random.ts'
import type { Target } from './target.ts'

const CLIENTS = 16
/** Each client stays below its rate limits. */
const PER_SECOND = 5
const SAMPLE_MS = 5_000

interface Operation {
  method: string
  /** As the OpenAPI document names it. */
  path: string
  target: string
  body?: unknown
}

/** Mixed traffic with the market running and a kill every two minutes. Every answer must be a documented one. */
export async function soak(
  target: Target,
  { seconds, random }: { seconds: number; random: Random },
): Promise<Figure[]> {
  const documented = await readDocumentedStatuses(target.port)
  const faults = new Map<string, number>()
  const counts = new Map<string, number>()
  const memory: number[] = []
  const end = Date.now() + seconds * 1_000
  let isStopped = false
  let kills = 0

  const traffic = Array.from({ length: CLIENTS }, async (_, at) => {
    const client = createClient(target.port, { localAddress: `127.3.0.${at + 1}` })
    while (Date.now() < end) {
      await sleep((1_000 / PER_SECOND) * 2 * random())
      if (isStopped) continue
      const operation = pickOperation(target, random)
      const answer = await client
        .send(operation.method, operation.target, { body: operation.body })
        .catch(() => undefined)
      // A kill breaks the connections that are open at that moment.
      if (!answer) {
        if (!isStopped) add(faults, `${operation.method} ${operation.path}: no answer`)
        continue
      }
      add(counts, `${operation.method} ${operation.path} ${answer.status}`)
      if (
        !documented.has(`${operation.method} ${operation.path} ${answer.status}`) &&
        !(isStopped && answer.status === 503)
      )
        add(faults, `${operation.method} ${operation.path}: ${answer.status} ${answer.body.slice(0, 80)}`)
    }
    client.close()
  })
  const launches = target.chain.registrations.length
  const lost: string[] = []
  const watch = async () => {
    const client = createClient(target.port, { localAddress: '127.3.1.1', keepAlive: false })
    for (let sample = 1; Date.now() < end; sample += 1) {
      await sleep(Math.min(SAMPLE_MS, Math.max(0, end - Date.now())))
      memory.push(target.residentMegabytes())
      if (sample % 24 !== 0 || Date.now() > end - 30_000) continue
      isStopped = true
      await target.restart({}, 'SIGKILL')
      kills += 1
      const listed = await countLaunches(client)
      if (listed !== launches) lost.push(`${listed} of ${launches} launches after kill ${kills}`)
      isStopped = false
    }
    const listed = await countLaunches(client)
    if (listed !== launches) lost.push(`${listed} of ${launches} launches at the end`)
  }
  await Promise.all([watch(), ...traffic])
  for (const [key, count] of [...counts].sort()) console.log(`  ${count.toString().padStart(7)}  ${key}`)
  const answers = [...counts.values()].reduce((sum, count) => sum + count, 0)
  const quarter = Math.max(1, Math.floor(memory.length / 4))
  return [
    { what: 'answered', value: answers, unit: 'answers' },
    {
      what: 'undocumented or missing answers',
      value: [...faults.values()].reduce((sum, count) => sum + count, 0),
      unit: 'answers',
      atMost: 0,
      detail: [...faults.keys()].slice(0, 5).join('; '),
    },
    {
      what: `lost launches after ${kills} kills`,
      value: lost.length,
      unit: 'answers',
      atMost: 0,
      detail: lost.join('; '),
    },
    { what: 'highest memory in the first quarter', value: Math.max(...memory.slice(0, quarter)), unit: 'MB' },
    { what: 'highest memory in the last quarter', value: Math.max(...memory.slice(-quarter)), unit: 'MB' },
  ]
}

function add(counts: Map<string, number>, key: string) {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

async function countLaunches(client: Client): Promise<number> {
  const { body } = await client.send('GET', '/v1/launches')
  return JSON.parse(body).data.length
}

/** `GET /v1/launches 200` and so on, as `/openapi.json` lists them. */
async function readDocumentedStatuses(port: number): Promise<Set<string>> {
  const client = createClient(port)
  const { body } = await client.send('GET', '/openapi.json')
  client.close()
  const { paths } = JSON.parse(body) as {
    paths: Record<string, Record<string, { responses: Record<string, unknown> }>>
  }
  return new Set(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { responses }]) =>
        Object.keys(responses ?? {}).map(status => `${method.toUpperCase()} ${path} ${status}`),
      ),
    ),
  )
}

function pickOperation({ chain }: Target, random: Random): Operation {
  const agent = pick(random, chain.agents)
  const wallet = pick(random, chain.wallets)
  const registration = pick(random, chain.registrations)
  return pick<() => Operation>(random, [
    () => ({
      method: 'GET',
      path: '/v1/launches',
      target: `/v1/launches${pick(random, ['', '?status=live', '?spotlight=true', '?status=nonsense'])}`,
    }),
    () => ({
      method: 'GET',
      path: '/v1/launches/{genesisAddress}',
      target: `/v1/launches/${registration.genesisAccount}`,
    }),
    () => ({ method: 'GET', path: '/v1/agents/{address}', target: `/v1/agents/${agent.address}` }),
    () => ({
      method: 'GET',
      path: '/v1/agents/{address}/agent-card.json',
      target: `/v1/agents/${agent.address}/agent-card.json`,
    }),
    () => ({
      method: 'POST',
      path: '/v1/agents/{address}/withdraw',
      target: `/v1/agents/${agent.address}/withdraw`,
      body: { sender: random() < 0.9 ? agent.owner : wallet, amount: pick(random, [0.001, 0, 2 ** 53, 'x']) },
    }),
    () => ({
      method: 'POST',
      path: '/v1/creator-rewards/claim',
      target: '/v1/creator-rewards/claim',
      body: { wallet: random() < 0.9 ? wallet : agent.owner },
    }),
    () => ({
      method: 'POST',
      path: '/v1/launches/register',
      target: '/v1/launches/register',
      body: registration,
    }),
    () => ({
      method: 'POST',
      path: '/v1/social/verify',
      target: '/v1/social/verify',
      body: { accessToken: pick(random, ['', 'wrong', 'demo']) },
    }),
  ])()
}
