import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  isHarmlessImage,
  readDiscordLink,
  readRelativePath,
  readSocialLink,
  readTelegramLink,
  readWebLink,
} from './links.ts'

test.each([
  ['https://a.example', 'https://a.example'],
  ['HTTPS://A.Example/', 'https://a.example'],
  [' http://a.example:8080/x?y=1#z ', 'http://a.example:8080/x?y=1#z'],
  ['https://bücher.example/ä', 'https://xn--bcher-kva.example/%C3%A4'],
  ['https:/a.example', undefined],
  ['https://', undefined],
  ['//a.example', undefined],
  ['javascript://a.example/%0aalert(1)', undefined],
  ['https://user@a.example', undefined],
  ['https://a.example/a b', undefined],
  ['https://a.example/\u200b', undefined],
  ['https://a.example/\u2066x', undefined],
  ['java\nscript:alert(1)', undefined],
  // Longer in plain notation than as it was written.
  [`https://a.example/${'ä'.repeat(400)}`, undefined],
])('the web link %j is %j', (text, link) => {
  expect(readWebLink(text)).toBe(link)
})

test.each([
  ['@name', 'https://x.com/name'],
  ['Na_me1', 'https://x.com/Na_me1'],
  ['https://x.com/name', 'https://x.com/name'],
  ['twitter.com/name', 'https://x.com/name'],
  ['http://m.twitter.com/@name/', 'https://x.com/name'],
  ['https://WWW.X.COM/name?lang=en', 'https://x.com/name'],
  ['https://x.com', 'https://x.com'],
  ['https://x.com/name/status/1', 'https://x.com/name/status/1'],
  ['https://notx.com/name', 'https://notx.com/name'],
  ['https://x.com.evil.example/name', 'https://x.com.evil.example/name'],
  ['@', undefined],
  ['@na-me', undefined],
  ['na me', undefined],
  ['x.com/a/b', undefined],
  ['xacom/name', undefined],
])('the social link %j is %j', (text, link) => {
  expect(readSocialLink(text)).toBe(link)
})

test('handles elsewhere become links, too', () => {
  expect(readTelegramLink('@name')).toBe('https://t.me/name')
  expect(readTelegramLink('telegram.me/name')).toBe('https://t.me/name')
  expect(readTelegramLink('https://t.me/+AbC-d')).toBe('https://t.me/+AbC-d')
  expect(readDiscordLink('AbCd')).toBe('https://discord.gg/AbCd')
  expect(readDiscordLink('https://discord.com/invite/x')).toBe('https://discord.com/invite/x')
})

test('whatever is taken up is an http(s) URL of plain ASCII that reads the same again', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.webUrl(),
    fc
      .tuple(
        fc.constantFrom('https://', 'http:/', 'x.com/', '@', 'https://x.com/', ''),
        fc.string({ unit: 'binary' }),
      )
      .map(parts => parts.join('')),
  )
  fc.assert(
    fc.property(text, written => {
      for (const read of [readWebLink, readSocialLink, readTelegramLink, readDiscordLink]) {
        const link = read(written)
        if (link === undefined) continue
        expect(link).toMatch(/^https?:\/\/[\x21-\x7e]+$/)
        expect(read(link)).toBe(link)
      }
    }),
    { numRuns: 400 },
  )
})

test('a relative path stays below where it begins', () => {
  for (const path of ['heroes/a.svg', 'a', 'a-b_c/d.e.png', 'a=b,c+d@2x.webp'])
    expect(readRelativePath(path)).toBe(path)
  for (const path of [
    '',
    '/a',
    'a/',
    'a//b',
    '.',
    './a',
    '../a',
    'a/../b',
    'a..b',
    'a\\b',
    'a:b',
    'a?b',
    'a#b',
  ])
    expect([path, readRelativePath(path)]).toEqual([path, undefined])
  expect(readRelativePath('a'.repeat(512))).toBeDefined()
  expect(readRelativePath('a'.repeat(513))).toBeUndefined()
  const base = 'https://store.example/pictures/'
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'ab./\\:%2e?#@~ '), maxLength: 12 }), text => {
      const path = readRelativePath(text)
      if (path !== undefined) expect(new URL(path, base).href).toBe(base + path)
    }),
    { numRuns: 2_000 },
  )
})

test('an image names no scheme but those that pictures come by', () => {
  for (const text of [
    '',
    'picture.png',
    'https://a.example/x',
    'ipfs://Qm',
    'ar://x',
    'data:image/png;base64,',
  ])
    expect([text, isHarmlessImage(text)]).toEqual([text, true])
  for (const text of [
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'https:a',
    '\u202ex',
    'a\u2028b',
  ])
    expect([text, isHarmlessImage(text)]).toEqual([text, false])
  expect(isHarmlessImage('x'.repeat(2_048))).toBe(true)
  expect(isHarmlessImage('x'.repeat(2_049))).toBe(false)
})
