import { ERRORS, type ErrorCode } from '@slipway/schema/errors'
import { beforeAll, beforeEach, expect } from 'vitest'
import { type DemoWorld, postJson, registrationOf } from './demo-launches.ts'
import { runSql } from './test-database.ts'
import { startTestService, useTestService } from './test-service.ts'

// biome-ignore lint/suspicious/noExplicitAny: the tests check the shape of the answers
type Json = any

/** An address without an account on any chain. */
export const UNUSED_ADDRESS = '11111111111111111111111111111112'

/** A node on the demo's chains and social network, with its own empty store. */
export async function startRegistering(
  world: DemoWorld,
  options: Parameters<typeof startTestService>[0] = {},
) {
  const service = await startTestService({
    ...options,
    limits: { ...options.limits },
    config: { ...world.config(), ...options.config },
    social: { apiUrl: world.demo.socialUrl, ...options.social },
  })
  return registeringOn(service)
}

/** A node on the demo's chains for all tests of a file, on which these launches are registered. */
export function useRegistered(world: DemoWorld, slugs: readonly string[]) {
  const service = useTestService(() => ({ config: world.config() }))
  beforeAll(async () => {
    for (const slug of slugs) {
      const { status } = await postJson(`${service().url}/v1/launches/register`, registrationOf(world, slug))
      expect([slug, status]).toEqual([slug, 200])
    }
  })
  return service
}

/** One such node for all tests of a file, each of which finds its store empty. */
export function useRegistering(world: DemoWorld) {
  const service = useTestService(() => ({
    config: world.config(),
    social: { apiUrl: world.demo.socialUrl },
  }))
  beforeEach(() => runSql(service().connection, 'TRUNCATE launches, tokens, buckets, used_verifications'))
  return () => registeringOn(service())
}

export function registeringOn(service: Awaited<ReturnType<typeof startTestService>>) {
  const getJson = async (path: string): Promise<Json> => (await fetch(service.url + path)).json()
  return {
    ...service,
    getJson,
    register: (body: unknown) => postJson(`${service.url}/v1/launches/register`, body),
    /** Waits until the launch is shown, and returns it. */
    async shown(address: string, network = 'chain-mainnet'): Promise<Json> {
      const read = async () => (await getJson(`/v1/launches/${address}?network=${network}`)).data
      await expect.poll(read, { timeout: 15_000, interval: 20 }).toBeDefined()
      return read()
    },
    /** The number of rows in each table that registration writes. */
    async rowCounts() {
      const counts: Record<string, number> = {}
      for (const table of ['launches', 'tokens', 'buckets', 'used_verifications']) {
        const { rows } = await runSql(service.connection, `SELECT count(*) FROM ${table}`)
        counts[table] = Number(rows[0].count)
      }
      return counts
    },
  }
}

export const NO_ROWS = { launches: 0, tokens: 0, buckets: 0, used_verifications: 0 }

export const refusal = (code: ErrorCode) => ({
  status: ERRORS[code].status as number,
  body: { success: false, error: ERRORS[code].text as string },
})
