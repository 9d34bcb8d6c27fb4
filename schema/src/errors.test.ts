import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ERRORS } from './errors.ts'

const page = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8')

test('docs/errors.md has a heading for each code, and no others', () => {
  const headings = [...page.matchAll(/^## (\w+)$/gm)].map(([, code]) => code)
  expect(headings).toEqual(Object.keys(ERRORS))
})

test('each heading is followed by the status and the text', () => {
  for (const [code, { status, text }] of Object.entries(ERRORS))
    expect(page).toContain(`## ${code}\n${status} \`${text}\``)
})
