import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { SampleCharts } from './sample-charts.tsx'

const chartsOf = (...responses: (number | undefined)[]) =>
  renderToStaticMarkup(
    createElement(SampleCharts, {
      samples: responses.map((responseMs, ms) => ({ ms, responseMs, parts: [] })),
    }),
  )

test('there is no chart before the first measurement, and from then on none is empty', () => {
  expect(chartsOf()).toBe('')
  expect(chartsOf(12)).toMatch(/12 .*d="M0\.0 [\d.]+h0"/)
  expect(chartsOf(undefined)).toContain('No answer')
})
