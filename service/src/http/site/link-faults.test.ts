import { ExternalLinks } from '@slipway/schema/registration'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findLinkFault, LINK_FIELDS, toLinks } from '../../../../site/src/pages/launch/link-fields.ts'
import { digestJson } from '../../lib/digest-json.ts'

const PARTS = [
  ...['https://', 'http://', 'HTTPS://', 'javascript:', 'x.com/', 'www.t.me/', 'discord.gg/', 'example.org'],
  ...[
    '@',
    'tidewater',
    'a_1',
    '/',
    '?q=1',
    '#top',
    ':',
    ' ',
    '\u202e',
    '\ud800',
    'é',
    'user:word@',
    'a'.repeat(2_040),
  ],
]

test('the form for links finds a fault exactly where the API would refuse the link', () => {
  const link = fc.oneof(
    fc.array(fc.constantFrom(...PARTS), { maxLength: 5 }).map(parts => parts.join('')),
    fc.webUrl({ withFragments: true, withQueryParameters: true }),
    fc.string({ unit: 'grapheme' }),
  )
  const empty = { website: '', social: '', telegram: '', discord: '' }
  fc.assert(
    fc.property(fc.constantFrom(...LINK_FIELDS), link, ({ name }, text) => {
      const links = toLinks({ ...empty, [name]: text })
      const isAccepted = ExternalLinks.safeParse(links).success && digestJson(links) !== undefined
      expect(findLinkFault(name, text) === undefined).toBe(isAccepted)
    }),
    { numRuns: 300 },
  )
})
