import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ERRORS, errorFamilyOf } from './errors.ts'

const page = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8')

test('docs/errors.md has a heading for each code, and no others', () => {
  const headings = [...page.matchAll(/^## (\w+)$/gm)].map(([, code]) => code)
  expect(headings).toEqual(Object.keys(ERRORS))
})

test('each heading is followed by the status and the text', () => {
  for (const [code, { status, text }] of Object.entries(ERRORS))
    expect(page).toContain(`## ${code}\n${status} \`${text}\``)
})

test.each([
  ['GET', '/v1/agents/abc', 'agents'],
  ['POST', '/v1/agents/abc/withdraw', 'agents'],
  ['GET', '/v1/agents', 'agents'],
  ['POST', '/v1/social/verify?x=1', 'agents'],
  ['POST', '/v1/twitter/verify', 'agents'],
  ['POST', '/v1/launches/register', 'agents'],
  ['GET', '/v1/launches/register', 'launches'],
  ['HEAD', '/v1/launches/register', 'launches'],
  ['POST', '/v1/launches/create', 'agents'],
  ['GET', '/v1/launches/create', 'launches'],
  ['PUT', '/v1/launches/abc/links', 'agents'],
  ['GET', '/v1/launches/abc/links?network=x', 'agents'],
  ['PUT', '/v1/launches/abc/links/more', 'agents'],
  ['PUT', '/v1/launches/links', 'agents'],
  ['POST', '/v1/launches/abc/swap', 'agents'],
  ['GET', '/v1/launches/abc/swap', 'launches'],
  ['GET', '/v1/launches/abc/quote', 'launches'],
  ['GET', '/v1/launches', 'launches'],
  ['POST', '/v1/launches', 'launches'],
  ['GET', '/v1/tokens/abc', 'launches'],
  ['GET', '/v1/documents/abc.json', 'launches'],
  ['POST', '/v1/creator-rewards/claim', 'launches'],
  ['GET', '/v1/agentsx', 'launches'],
  ['GET', '/', 'launches'],
  ['GET', '/v1/AGENTS/x', 'agents'],
  ['GET', '/v1/agents%2Fx', 'agents'],
  ['GET', '/v1//agents/%', 'agents'],
])('errors of %s %s have the shape of %s', (method, path, family) => {
  expect(errorFamilyOf(method, path)).toBe(family)
})
