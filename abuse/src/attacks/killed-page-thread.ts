import { setTimeout as sleep } from 'node:timers/promises'
import type { Attack } from '../attack.ts'
import { createClient } from '../http-client.ts'
import type { Target } from '../target.ts'
import { measure } from './pages.ts'

const RECOVERY_MS_MAX = 30_000

/** The thread that renders pages ends, again and again, while ordinary visitors look at pages. */
export const killedPageThread: Attack = {
  name: 'killed page thread',
  run: (target, { isShort }) =>
    measure(target, isShort, async () => {
      for (let kills = isShort ? 1 : 6; kills > 0; kills -= 1) {
        await target.killPageThread()
        await waitForPage(target, kills)
      }
    }),
}

/** A page that ended two threads would be refused, so the next kill waits until pages are back. */
async function waitForPage({ port }: Target, kills: number) {
  const client = createClient(port, { localAddress: '127.0.2.1' })
  for (const end = performance.now() + RECOVERY_MS_MAX; performance.now() < end; await sleep(50)) {
    const path = `/?q=after-kill-${kills}-${Math.round(performance.now())}`
    const status = await client.send('GET', path).then(
      answer => answer.status,
      () => 0,
    )
    if (status === 200) break
  }
  client.close()
}
