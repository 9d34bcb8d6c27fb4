import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createReachSlot, createWaitingRoom } from './at-slot.ts'

const WAIT_MS = 200

/** A network whose endpoint shows the next slots, one for each look. */
function open(slots: (number | 'behind')[], room = createWaitingRoom()) {
  const state = { newest: 100, looks: 0 }
  const reach = createReachSlot(
    {
      newestSlot: () => state.newest,
      slotMs: () => 5,
      async fetchSlot() {
        const slot = slots[Math.min(state.looks, slots.length - 1)] as number | 'behind'
        state.looks += 1
        await sleep(1)
        if (slot === 'behind') throw new Error('behind')
        state.newest = Math.max(state.newest, slot)
        return slot
      },
    },
    room,
    WAIT_MS,
  )
  return { state, reach }
}
const codeOf = (run: Promise<void>) =>
  run.then(
    () => 'reached',
    ({ code }) => code as string,
  )

test('a slot that the network has been seen at costs nothing', async () => {
  const { state, reach } = open([])
  for (const minSlot of [undefined, 0, 99, 100]) await reach({ minSlot, client: 'a' })
  expect(state.looks).toBe(0)
})

test('all who wait for a slot share the looks at the network, and an endpoint that is behind is asked again', async () => {
  const { state, reach } = open(['behind', 101, 102, 103])
  await Promise.all(['a', 'b', 'c'].map(client => reach({ minSlot: 103, client })))
  expect(state.looks).toBe(4)
})

test('a slot that does not come in time is unavailable', async () => {
  const { reach } = open([101])
  const startMs = performance.now()
  expect(await codeOf(reach({ minSlot: 102, client: 'a' }))).toBe('SERVICE_UNAVAILABLE')
  expect(performance.now() - startMs).toBeGreaterThan(0.9 * WAIT_MS)
})

test('a slot more than 150 above the newest one is refused, but only after a look at the network', async () => {
  const [{ reach }, { reach: reachDown }] = [open([300]), open(['behind'])]
  expect(await codeOf(reach({ minSlot: 451, client: 'a' }))).toBe('INVALID_MIN_SLOT')
  expect(await codeOf(reach({ minSlot: 300, client: 'a' }))).toBe('reached')
  const unknown = [reach({ minSlot: 450, client: 'a' }), reachDown({ minSlot: 100_000, client: 'a' })]
  expect(await Promise.all(unknown.map(codeOf))).toEqual(['SERVICE_UNAVAILABLE', 'SERVICE_UNAVAILABLE'])
})

test('at most 4 requests of a client wait, and 64 of all; the next is refused at once, and room is made again', async () => {
  const { reach } = open([101])
  const own = Array.from({ length: 5 }, () => codeOf(reach({ minSlot: 102, client: 'a' })))
  expect(await Promise.race(own)).toBe('SERVICE_UNAVAILABLE')
  const others = Array.from({ length: 60 }, (_, at) => codeOf(reach({ minSlot: 102, client: `${at}` })))
  const startMs = performance.now()
  expect(await codeOf(reach({ minSlot: 102, client: 'late' }))).toBe('SERVICE_UNAVAILABLE')
  expect(performance.now() - startMs).toBeLessThan(0.5 * WAIT_MS)
  await Promise.all([...own, ...others])
  const again = performance.now()
  await codeOf(reach({ minSlot: 102, client: 'a' }))
  expect(performance.now() - again).toBeGreaterThan(0.9 * WAIT_MS)
})
