import type { Attack } from '../attack.ts'
import { createClient } from '../client.ts'
import { measure } from './pages.ts'

/** What one client may ask of the chain in a minute is 240. */
const REQUESTS = 200
const CONNECTIONS = 8

/** One client, within its rate limit, asks for pages of a wallet that has thousands of token accounts. */
export const crowdedWallet: Attack = {
  name: 'crowded wallet',
  async run(target, isShort) {
    let failed = 0
    const figures = await measure(target, isShort, async () => {
      const client = createClient(target.port, { localAddress: '127.3.0.1', connections: CONNECTIONS })
      const limits = Array.from({ length: isShort ? 40 : REQUESTS }, (_, at) => at + 1)
      await Promise.all(
        limits.map(async limit => {
          const path = `/v1/wallets/${target.chain.crowdedWallet}?limit=${limit}`
          const status = await client.send('GET', path).then(
            answer => answer.status,
            () => 0,
          )
          if (status !== 200) failed += 1
        }),
      )
      client.close()
    })
    return [...figures, { what: 'failed pages of the wallet', value: failed, unit: 'answers', atMost: 0 }]
  },
}
