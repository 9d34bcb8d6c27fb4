import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
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

test('the codes of errors are those of the service', async () => {
  const rows = Object.entries(ERRORS)
    // Two errors can have the same text. Callers get the code that says the same as the text.
    .filter(
      ([code, { text }]) =>
        isWordedLike(code, text) ||
        !Object.entries(ERRORS).some(([other, row]) => other !== code && row.text === text),
    )
    .map(([code, { text }]) => `${JSON.stringify(text)}: '${code}',`)
  const text = `${NOTE}
/** The code of each text that the API answers with. */
export const CODES = {
${rows.join('\n')}
} as const

export type ApiErrorCode = (typeof CODES)[keyof typeof CODES]
`
  await expect(format(text)).toMatchFileSnapshot('./error-codes.ts')
})

const isWordedLike = (code: string, text: string) => code === text.toUpperCase().replaceAll(' ', '_')

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
