import { errorFamilyOf } from '@slipway/schema/errors'
import type { Attack } from '../attack.ts'
import { createClient } from '../http-client.ts'
import { pick, type Random } from '../random.ts'
import { UNLIMITED } from '../unlimited.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']
const PIECES = [
  'v1',
  'agents',
  'launches',
  'tokens',
  'social',
  'verify',
  'creator-rewards',
  'claim',
  'register',
  'withdraw',
  'agent-card.json',
  '%2F',
  '%00',
  '%',
  '..',
  '',
  '*',
  'docs',
]
const VALUES = [null, 0, -1, 1e308, 2 ** 53, 0.1, '', 'x', '\u202e\0', [], {}, [[[[]]]], true]
const FIELDS = [
  'network',
  'wallet',
  'payer',
  'sender',
  'amount',
  'accessToken',
  'genesisAccount',
  'launch',
  'agent',
  'query',
  'sort',
  'mechanic',
  'creator',
  'limit',
  'cursor',
  '__proto__',
]
const AT_ONCE = 8

/** Random methods, paths, queries and bodies: every answer must be well-formed, and none may be a 5xx. */
export const fuzz: Attack = {
  name: 'fuzz',
  environment: UNLIMITED,
  async run({ port, chain }, { random, isShort }) {
    const count = isShort ? 160 : 50_000
    const known = [...chain.agents.map(({ address }) => address), ...chain.wallets]
    const client = createClient(port, { localAddress: '127.0.0.100', connections: AT_ONCE })
    const faults: string[] = []
    for (let sent = 0; sent < count; sent += AT_ONCE)
      await Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          const method = pick(random, METHODS)
          const path = randomPath(random, known)
          const body = ['GET', 'HEAD'].includes(method) ? undefined : randomBody(random, known)
          const answer = await client.send(method, path, { body }).catch(() => undefined)
          const fault = !answer ? 'no answer' : findFault(method, path, answer)
          if (fault) faults.push(`${method} ${path}: ${fault}`)
        }),
      )
    client.close()
    return [
      {
        what: `faulty answers to ${count} random requests`,
        value: faults.length,
        unit: 'answers',
        atMost: 0,
        detail: faults.slice(0, 3).join('; '),
      },
    ]
  },
}

function findFault(method: string, path: string, { status, body }: { status: number; body: string }) {
  if (status >= 500) return `status ${status}`
  if (status < 400 || method === 'HEAD') return undefined
  try {
    const { error } = JSON.parse(body)
    const text = errorFamilyOf(method, path) === 'agents' ? error : error.message
    return typeof text === 'string' ? undefined : `an error of the wrong shape: ${body.slice(0, 100)}`
  } catch {
    return `not JSON: ${body.slice(0, 100)}`
  }
}

function randomPath(random: Random, known: readonly string[]): string {
  const pieces = Array.from({ length: 1 + Math.floor(random() * 4) }, () =>
    random() < 0.3 ? pick(random, known) : pick(random, PIECES),
  )
  const query =
    random() < 0.3 ? `?${pick(random, FIELDS)}=${encodeURIComponent(String(pick(random, VALUES)))}` : ''
  return `/v1/${pieces.join('/')}${query}`
}

function randomBody(random: Random, known: readonly string[]): unknown {
  if (random() < 0.1) return pick(random, VALUES)
  const entries = Array.from({ length: Math.floor(random() * 6) }, () => [
    pick(random, FIELDS),
    random() < 0.4 ? pick(random, known) : pick(random, VALUES),
  ])
  return Object.fromEntries(entries)
}
