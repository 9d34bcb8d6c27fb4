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

test('should everything hang, all are still told to stop, and none waits beyond the end', async () => {
  const told: string[] = []
  const failures: string[] = []
  const shutdown = createShutdownList(name => failures.push(name), 200)
  const hang = (name: string) => () => {
    told.push(name)
    return new Promise(() => {})
  }
  shutdown.add('short', hang('short'), 100)
  shutdown.add('long', hang('long'), 10_000)
  shutdown.add('quick', () => void told.push('quick'), 10_000)
  const startMs = performance.now()
  await shutdown.run()
  expect(performance.now() - startMs).toBeLessThan(1_000)
  expect(told).toEqual(['quick', 'long', 'short'])
  expect(failures).toEqual(['long', 'short'])
})
