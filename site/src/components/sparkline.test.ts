import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Sparkline } from './figures.tsx'

/** The heights of the line's points, from the top. */
const heightsOf = (...values: number[]) => {
  const paths = renderToStaticMarkup(createElement(Sparkline, { values })).match(/d="M[^"VZ]*"/g) ?? []
  return [...(paths.at(-1) ?? '').matchAll(/ ([\d.]+)/g)].map(([, y]) => Number(y))
}

test('a change fills the height, unless it is a small part of the value', () => {
  expect(heightsOf(1, 2)).toEqual([25, 3])
  expect(heightsOf(1, 1.000_1).every(y => y > 13.5 && y < 14.5)).toBe(true)
})

test('what never changed is a line in the middle, and one value is none', () => {
  expect([heightsOf(5, 5), heightsOf(0, 0), heightsOf(5)]).toEqual([[14, 14], [14, 14], []])
})
