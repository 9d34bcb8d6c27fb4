import { expect, test } from 'vitest'
import { createShutdownList } from './shutdown.ts'

test('parts stop once, in reverse order, even if one of them fails or hangs', async () => {
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

test('if every part hangs, each is still asked to stop, and shutdown ends on time', async () => {
  const stopped: string[] = []
  const failures: string[] = []
  const shutdown = createShutdownList(name => failures.push(name), 200)
  const hang = (name: string) => () => {
    stopped.push(name)
    return new Promise(() => {})
  }
  shutdown.add('short', hang('short'), 100)
  shutdown.add('long', hang('long'), 3_600_000)
  shutdown.add('quick', () => void stopped.push('quick'), 3_600_000)
  await shutdown.run()
  expect(stopped).toEqual(['quick', 'long', 'short'])
  expect(failures).toEqual(['long', 'short'])
})
