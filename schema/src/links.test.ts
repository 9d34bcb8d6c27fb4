import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  isHarmlessImage,
  parseDiscordLink,
  parseRelativePath,
  parseSocialLink,
  parseTelegramLink,
  parseWebLink,
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
  // The limit of 2,048 characters holds for the encoded URL: each `ä` becomes six.
  [`https://a.example/${'ä'.repeat(338)}xx`, `https://a.example/${'%C3%A4'.repeat(338)}xx`],
  [`https://a.example/${'ä'.repeat(338)}xxx`, undefined],
])('the web link %j becomes %j', (text, link) => {
  expect(parseWebLink(text)).toBe(link)
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
])('the social link %j becomes %j', (text, link) => {
  expect(parseSocialLink(text)).toBe(link)
})

test('Telegram and Discord handles become links', () => {
  expect(parseTelegramLink('@name')).toBe('https://t.me/name')
  expect(parseTelegramLink('telegram.me/name')).toBe('https://t.me/name')
  expect(parseTelegramLink('https://t.me/+AbC-d')).toBe('https://t.me/+AbC-d')
  expect(parseDiscordLink('AbCd')).toBe('https://discord.gg/AbCd')
  expect(parseDiscordLink('https://discord.com/invite/x')).toBe('https://discord.com/invite/x')
})

test('every accepted link is an http(s) URL in ASCII that parses to itself', () => {
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
      for (const parse of [parseWebLink, parseSocialLink, parseTelegramLink, parseDiscordLink]) {
        const link = parse(written)
        if (link === undefined) continue
        expect(link).toMatch(/^https?:\/\/[\x21-\x7e]+$/)
        expect(parse(link)).toBe(link)
      }
    }),
    { numRuns: 400 },
  )
})

test('a relative path cannot leave its base', () => {
  for (const path of ['heroes/a.svg', 'a', 'a-b_c/d.e.png', 'a=b,c+d@2x.webp'])
    expect(parseRelativePath(path)).toBe(path)
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
    expect([path, parseRelativePath(path)]).toEqual([path, undefined])
  expect(parseRelativePath('a'.repeat(512))).toBeDefined()
  expect(parseRelativePath('a'.repeat(513))).toBeUndefined()
  const base = 'https://store.example/images/'
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'ab./\\:%2e?#@~ '), maxLength: 12 }), text => {
      const path = parseRelativePath(text)
      if (path !== undefined) expect(new URL(path, base).href).toBe(base + path)
    }),
    { numRuns: 2_000 },
  )
})

test('an image is a relative path or has a scheme that images use', () => {
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
