import { expect, test } from 'vitest'
import { toCalendarEvent } from './calendar-event.ts'

const EVENT = {
  id: 'launch',
  title: 'Tidewater',
  url: 'https://slipway.example/launches/launch',
  startTime: '2026-11-19T05:28:43.000Z',
}

test('the event begins when the launch opens, in UTC', () => {
  const lines = toCalendarEvent(EVENT).split('\r\n')
  expect(lines).toContain('DTSTART:20261119T052843Z')
  expect(lines).toContain('SUMMARY:Tidewater opens')
  expect(lines).toContain('URL:https://slipway.example/launches/launch')
})

test('a name can’t add lines, and its punctuation is escaped', () => {
  const text = toCalendarEvent({ ...EVENT, title: 'A\r\nURL:https://evil.example\u2028; B, \\C' })
  expect(text.split(/[\r\n]+/).filter(line => line.startsWith('URL'))).toEqual([`URL:${EVENT.url}`])
  expect(text).toContain('SUMMARY:A URL:https://evil.example')
  expect(text).toContain(String.raw`\; B\, \\C opens`)
})

test('a long name is cut between its characters', () => {
  expect(toCalendarEvent({ ...EVENT, title: '🚢'.repeat(99) })).toContain(`SUMMARY:${'🚢'.repeat(60)} opens`)
})
