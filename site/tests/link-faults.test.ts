import { ExternalLinks } from '@slipway/schema/registration'
import { expect, test } from 'vitest'
import { digestJson } from '../../service/src/lib/digest-json.ts'
import { nameLink } from '../src/lib/links.ts'
import { findLinkFault, LINK_FIELDS, toLinks } from '../src/pages/launch/link-fields.ts'

/** Every combination of these is tried. */
const PARTS = [
  ['', 'https://', 'HTTP://', 'javascript:', 'https://user:word@'],
  ['', 'x.com/', 'm.twitter.com/', 'www.t.me/', 'telegram.me/', 'discord.gg/', 'tidewater.example/'],
  ['', '@'],
  ['', 'tidewater', 'a b', 'a'.repeat(64), 'a'.repeat(65), '水'.repeat(500)],
  ['', '/b', '?q=1', '\u202e', '\ud800'],
]
const EMPTY = { website: '', social: '', telegram: '', discord: '' }

test('the form for links finds a fault exactly where the API refuses the link, if the host can exist', () => {
  const texts = PARTS.reduce((begun, parts) => begun.flatMap(start => parts.map(part => start + part)), [''])
  const differing = LINK_FIELDS.flatMap(({ name }) =>
    texts.filter(text => {
      const links = toLinks({ ...EMPTY, [name]: text })
      const isAccepted = ExternalLinks.safeParse(links).success && digestJson(links) !== undefined
      return isAccepted !== (findLinkFault(name, text) === undefined)
    }),
  )
  expect(differing).toEqual([])
})

test('the form says what is wrong with an address', () => {
  const invalid = [
    'https://exa mple.com',
    'https://example.com:99999',
    'https://x..com',
    'https://.com',
    'https://',
  ]
  for (const text of invalid) expect(findLinkFault('website', text)).toBe('This is not a valid address.')
  expect(findLinkFault('social', 'https://user:pw@x.example')).toBe('Remove the user name and password.')
  expect(findLinkFault('website', 'example.com')).toMatch(/^Enter an address that starts with https:/)
  for (const text of ['https://example.com.', 'http://[::1]:8080/', 'https://水.example'])
    expect(findLinkFault('website', text)).toBeUndefined()
})

test('a link has the name of a site only if it leads there', () => {
  const names = (links: [Parameters<typeof nameLink>[0], string][]) => links.map(link => nameLink(...link))
  const genuine = names([
    ['x', 'https://x.com/tidewater'],
    ['x', 'https://mobile.twitter.com/tidewater'],
    ['telegram', 'https://t.me/tidewater'],
    ['discord', 'https://discord.com/invite/tide'],
  ])
  expect(genuine).toEqual(['X', 'X', 'Telegram', 'Discord'])
  const others = names([
    ['x', 'https://evil.example/x.com'],
    ['x', 'https://x.com.evil.example'],
    ['x', 'https://notx.com/tidewater'],
    ['telegram', 'https://x.com/tidewater'],
    ['discord', 'tidewater'],
  ])
  expect(others).toEqual(Array(5).fill('Link'))
})
