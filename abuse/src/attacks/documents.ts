import type { Attack } from '../attack.ts'
import { type Client, createClient } from '../client.ts'
import { PROXY } from '../target.ts'

const LARGE = 'x'.repeat(31_000)

/** Many clients behind a trusted proxy prepare mints that they never send, each until it is refused. */
export const documents: Attack = {
  name: 'documents',
  async run({ port, chain }, isShort) {
    const client = createClient(port, { localAddress: PROXY })
    const wallet = chain.wallets[0] as string
    const count = isShort ? 3 : 139
    // Each /64 may have 2 MiB, a /56 twice and a /48 four times as much.
    const [allocation, apart, atMost] = isShort ? ['/56', 1, 4.5] : ['/48', 0x1_00, 9]
    const oneAllocation = await fill(
      client,
      wallet,
      count,
      at => `2001:db8:1:${(at * apart).toString(16)}::1`,
    )
    const figures = [
      {
        what: `prepared by ${count} /64 networks of one ${allocation}`,
        value: oneAllocation,
        unit: 'MB' as const,
        atMost,
      },
    ]
    if (!isShort) {
      const many = await fill(client, wallet, count, at => `2001:db8:${(at + 2).toString(16)}::1`)
      figures.push({ what: `prepared by ${count} /48 networks`, value: many, unit: 'MB', atMost: 250 })
    }
    const { status } = await mint(client, wallet, '203.0.113.7', 'Ferrywright')
    client.close()
    return [
      ...figures,
      {
        what: 'mints by another client that were refused afterwards',
        value: status === 200 ? 0 : 1,
        unit: 'answers',
        atMost: 0,
        detail: `status ${status}`,
      },
    ]
  },
}

/** Returns how many megabytes were accepted. */
async function fill(client: Client, wallet: string, networks: number, clientOf: (at: number) => string) {
  let bytes = 0
  for (let at = 0; at < networks; at += 1) {
    let refused = false
    const attackers = Array.from({ length: 8 }, async () => {
      while (!refused) {
        const { status } = await mint(client, wallet, clientOf(at), LARGE)
        if (status === 200) bytes += LARGE.length
        else refused = true
      }
    })
    await Promise.all(attackers)
  }
  return bytes / 1_000_000
}

function mint(client: Client, wallet: string, address: string, description: string) {
  const agentMetadata = { name: 'Ferrywright', description, services: [], registrations: [] }
  return client.send('POST', '/v1/agents/mint', {
    body: { wallet, name: 'Ferrywright', uri: 'https://a.example/a.json', agentMetadata },
    headers: { 'x-forwarded-for': address },
  })
}
