import { expect, test, vi } from 'vitest'
import { fitDraft, watchDraft } from './use-draft.ts'

const EMPTY = { name: '', services: [{ kind: 'A2A', endpoint: '' }] }

test('a stored draft is kept as far as it has the types of the empty one', () => {
  const services = [{ kind: 'MCP', endpoint: 'https://ferry.example' }]
  expect(fitDraft(EMPTY, { name: 'Ferrywright', services })).toEqual({ name: 'Ferrywright', services })
  expect(fitDraft(EMPTY, { name: 'Ferrywright', unknown: 1 })).toEqual({ ...EMPTY, name: 'Ferrywright' })
  expect(fitDraft(EMPTY, { name: 5, services: [...services, null, { kind: 1 }] })).toEqual({
    name: '',
    services,
  })
  const choices = { name: ['Ferrywright'] }
  expect(fitDraft(EMPTY, { name: 'Ferrywright' }, choices).name).toBe('Ferrywright')
  expect(fitDraft(EMPTY, { name: 'Tidewatch' }, choices).name).toBe('')
})

test.each([null, [], 'text', {}, { services: null }, { name: {} }])('of %j nothing is kept', stored => {
  expect(fitDraft(EMPTY, stored)).toEqual(EMPTY)
})

test('a draft counts as forgotten only if it was stored', () => {
  const stored = new Map([['draft:agent', '{}']])
  vi.stubGlobal('localStorage', { getItem: (key: string) => stored.get(key) ?? null })
  const isForgotten = watchDraft('agent')
  expect(isForgotten()).toBe(false)
  stored.clear()
  expect(isForgotten()).toBe(true)
  // Storage may be full or blocked.
  expect(watchDraft('agent')()).toBe(false)
  vi.unstubAllGlobals()
})
