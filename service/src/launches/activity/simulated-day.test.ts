import { expect, onTestFinished, test } from 'vitest'
import { isEndurance } from '../../testing/endurance.ts'
import { simulateDay } from '../../testing/simulate-day.ts'
import { createTestDatabase } from '../../testing/test-database.ts'
import { startTestService } from '../../testing/test-service.ts'

/**
 * In an endurance run it trades more often, for several minutes. `DAY_STEPS=300 npx vitest run simulated-day` sets
 * it.
 */
const STEPS = Number(process.env.DAY_STEPS ?? (isEndurance ? 2_000 : 40))

test(
  'through a restart, a lost connection, a takeover and a fork, a day’s series matches the chain',
  async () => {
    const { connection, database } = await createTestDatabase()
    const { differences, points, seed } = await simulateDay({
      connection,
      database,
      curves: 3,
      steps: STEPS,
      onEnd: onTestFinished,
      startNode: options => startTestService({ connection, ...options }),
    })
    expect(points).toBeGreaterThan(3 * 1_400)
    expect(differences, `SEED=${seed}`).toEqual([])
  },
  STEPS * 1_500,
)
