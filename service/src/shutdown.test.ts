import { expect, test } from 'vitest'
import { createShutdownList } from './shutdown.ts'

test('parts stop in the opposite order, once, and one that fails or hangs does not keep the others', async () => {
  const stopped: string[] = []
  const failures: string[] = []
  const shutdown = createShutdownList(name => failures.push(name))
  shutdown.add('first', () => void stopped.push('first'))
  shutdown.add('hanging', () => new Promise(() => {}), 50)
  shutdown.add('failing', async () => {
    throw new Error('no')
  })
  shutdown.add('last', async () => void stopped.push('last'))
  await Promise.all([shutdown.run(), shutdown.run()])
  expect(stopped).toEqual(['last', 'first'])
  expect(failures).toEqual(['failing', 'hanging'])
})
