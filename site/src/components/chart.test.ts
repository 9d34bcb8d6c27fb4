import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { SiteContext } from '../lib/site-context.ts'
import { Chart } from './chart.tsx'

const at = (hour: number) => Date.parse(`2026-03-03T${hour}:00:00Z`)
const summaryOf = (mark: { ms: number; name: string } | undefined) => {
  const points = [10, 14].map(hour => ({ ms: at(hour), value: hour }))
  const chart = createElement(Chart, { points, label: 'Price', unit: 'SOL', mark, format: String })
  const page = createElement(SiteContext, { value: { serverNowMs: at(16) } as never }, chart)
  return /<figcaption[^>]*>(.*)<\/figcaption>/.exec(renderToStaticMarkup(page))?.[1]
}

test('screen readers hear of a mark within the line, and of no other', () => {
  const summary = 'Price in SOL: from 10 to 14 over 2 points.'
  expect(summaryOf(undefined)).toBe(summary)
  expect(summaryOf({ ms: at(15), name: 'Graduated' })).toBe(summary)
  expect(summaryOf({ ms: at(12), name: 'Graduated' })).toMatch(/points\. Graduated .*3 Mar.*12:00 \(UTC\)\.$/)
})
