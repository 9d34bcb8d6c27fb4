import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { FAILURES } from '@slipway/launch-model/trade/failures'
import { ERRORS } from '@slipway/schema/errors'
import { EventData, EventType } from '@slipway/schema/event'
import { RegistrationShape } from '@slipway/schema/mint'
import { DESCRIBED_ENDPOINTS } from '@slipway/service/testing/described-endpoints'
import { expect, test } from 'vitest'
import { generateTypes } from './testing/generate-types.ts'

const NOTE = `// Generated from the service's schemas. Update it with: npx vitest run client/src/generated.test.ts -u
`

test('the types of requests and answers are those of the service', async () => {
  const types = generateTypes(DESCRIBED_ENDPOINTS, {
    input: { RegistrationDocument: RegistrationShape },
    output: { EventType, EventData },
  })
  await expect(format(`${NOTE}\n${types}`)).toMatchFileSnapshot('./types.ts')
})

test('the codes of errors and the numbers of failures are those of the service', async () => {
  const failures: Record<number, string> = Object.assign({}, ...Object.values(FAILURES))
  const numbers = Object.entries(failures).map(([number, code]) => `${number}: '${code}'`)
  const text = `${NOTE}
/** Every code that the API answers with. */
export const API_ERROR_CODES = ${JSON.stringify(Object.keys(ERRORS))} as const

export type ApiErrorCode = (typeof API_ERROR_CODES)[number]

/** The programs that a trade calls. */
export const FAILURE_PROGRAMS: readonly string[] = ${JSON.stringify(Object.keys(FAILURES))}

/** Their error numbers, which don't overlap. */
export const FAILURE_NUMBERS = {${numbers}} as const
`
  await expect(format(text)).toMatchFileSnapshot('./error-codes.ts')
})

function format(text: string): string {
  const biome = fileURLToPath(new URL('../../node_modules/.bin/biome', import.meta.url))
  const { stdout, stderr } = spawnSync(biome, ['format', '--stdin-file-path=client/src/types.ts'], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    input: text,
    encoding: 'utf8',
  })
  if (stdout === '') throw new Error(stderr)
  return stdout
}
