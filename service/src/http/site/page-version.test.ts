import { expect, test } from 'vitest'
import { createPageVersion } from './page-version.ts'

test('all pages of a version name the last event before the first of them', () => {
  let newest = 7
  const version = createPageVersion(() => newest)
  expect(version.lastEventId()).toBe('7')
  newest = 9
  // Data that was read for the first page, which other pages share, may be older than event 9.
  expect(version.lastEventId()).toBe('7')
  version.confirmed()
  newest = 10
  expect([version.current(), version.lastEventId()]).toEqual([1, '10'])
})
