import { ExternalLinks } from '@slipway/schema/registration'
import { expect, test } from 'vitest'
import { findLinkFault, LINK_FIELDS, toLinks } from '../../../../site/src/pages/launch/link-fields.ts'
import { digestJson } from '../../lib/digest-json.ts'

/** Every combination of these is tried. */
const PARTS = [
  ['', 'https://', 'HTTP://', 'javascript:', 'https://user:word@'],
  ['', 'x.com/', 'm.twitter.com/', 'www.t.me/', 'telegram.me/', 'discord.gg/', 'tidewater.example/'],
  ['', '@'],
  ['', 'tidewater', 'a b', 'a'.repeat(64), 'a'.repeat(65), '水'.repeat(500)],
  ['', '/b', '?q=1', '\u202e', '\ud800'],
]
const EMPTY = { website: '', social: '', telegram: '', discord: '' }

test('the form for links finds a fault exactly where the API refuses the link', () => {
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
