import type { Address } from '@slipway/schema/address'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cutText, LISTED_BYTES, shortenLinks, shortenPicture, shortenToken } from './shorten.ts'

/** How a page writes text into its HTML and its data. */
const encodings = [
  (text: string) => JSON.stringify(text).slice(1, -1),
  (text: string) => JSON.stringify(text).slice(1, -1).replaceAll('<', '\\u003c'),
  (text: string) => text.replace(/["&'<>]/g, character => `&#${character.charCodeAt(0)};`),
]

test('a text that is cut has at most so many bytes in JSON and HTML, and is a beginning with an ellipsis', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 200 })
  fc.assert(
    fc.property(text, fc.integer({ min: 10, max: 200 }), (whole, bytesMax) => {
      const cut = cutText(whole, bytesMax)
      for (const encode of encodings) expect(Buffer.byteLength(encode(cut))).toBeLessThanOrEqual(bytesMax)
      if (cut === whole) return
      expect(cut.endsWith('…')).toBe(true)
      expect(whole.startsWith(cut.slice(0, -1))).toBe(true)
      expect(Buffer.from(cut).toString()).toBe(cut)
    }),
  )
})

test('a text of exactly the limit stays whole, and a character is never cut into parts', () => {
  expect(cutText('x'.repeat(100), 100)).toBe('x'.repeat(100))
  expect(cutText('x'.repeat(101), 100)).toBe(`${'x'.repeat(97)}…`)
  // A letter with an accent (two code points), a flag (two), and a family (seven).
  for (const character of ['e\u0301', '🇨🇭', '👨‍👩‍👧‍👦'])
    for (let bytesMax = 30; bytesMax < 60; bytesMax += 1) {
      const cut = cutText(character.repeat(40), bytesMax).slice(0, -1)
      expect(cut.length % character.length).toBe(0)
    }
  // A letter with hundreds of accents is cut all the same.
  expect(Buffer.byteLength(cutText(`e${'\u0301'.repeat(500)}`, 100))).toBeLessThanOrEqual(100)
  expect(cutText(`e${'\u0301'.repeat(500)}`, 100).length).toBeGreaterThan(30)
})

test('a picture stays whole or is left out', () => {
  const picture = `data:image/png;base64,${'A'.repeat(LISTED_BYTES.picture - 22)}`
  expect(shortenPicture(picture)).toBe(picture)
  expect(shortenPicture(`${picture}A`)).toBe('')
  expect(shortenPicture(`data:image/svg+xml,${'<'.repeat(400)}`)).toBe('')
})

test('a description has the room that its picture leaves', () => {
  const token = { address: 'x' as Address, name: 'Tide', symbol: 'TIDE', image: 'https://a.example/1.png' }
  const honest = { ...token, description: '“It’s a tide.” '.repeat(130).trim() }
  expect(shortenToken(honest)).toBe(honest)
  const longest = { ...honest, image: `https://a.example/${'x'.repeat(LISTED_BYTES.picture - 18)}` }
  const { image, description } = shortenToken(longest)
  expect(image).toBe(longest.image)
  expect(description).toMatch(/…$/)
  expect(Buffer.byteLength(description)).toBeGreaterThan(700)
  expect(Buffer.byteLength(image + description)).toBeLessThanOrEqual(LISTED_BYTES.pictureAndDescription)
})

test('links that are too long together are left out one by one', () => {
  const link = (length: number) => `https://a.example/${'x'.repeat(length - 18)}`
  const short = { website: link(300), socials: { x: link(300), discord: link(300) } }
  expect(shortenLinks(short)).toBe(short)
  const { website, socials } = { website: link(700), socials: { x: link(700), discord: link(400) } }
  expect(shortenLinks({ website, socials })).toEqual({ website, socials: { discord: socials.discord } })
  expect(shortenLinks({ website: link(2_000), socials: {} })).toEqual({ website: '', socials: {} })
})
