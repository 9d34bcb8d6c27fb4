import { expect, test } from 'vitest'
import { describeDetails, parseCardText } from './card-text.ts'

const faultOf = (text: string) => {
  const parsed = parseCardText(text)
  return 'fault' in parsed ? parsed.fault : undefined
}

test('a fault in the text is reported with its line', () => {
  expect(faultOf('{\n  "name": "Tidewatch"\n  "version": "1"\n}')).toMatch(
    /^Line 3: .*The text is not JSON yet\.$/,
  )
  expect(faultOf('{\n  "name": "Tide')).toMatch(/^Line 2: /)
  expect(faultOf('{\n  "name": nothing\n}')).toBe("Line 2: Unexpected token 'o'. The text is not JSON yet.")
  expect(faultOf('[]')).toMatch(/^A card is an object/)
  expect(faultOf(`{"name": "${'x'.repeat(70_000)}"}`)).toMatch(/^It has 69 KiB/)
  expect(parseCardText('{"name": "Tidewatch"}')).toEqual({ card: { name: 'Tidewatch' } })
})

test('the faults that the service finds are named as JSON is written', () => {
  expect(
    describeDetails([
      { path: 'card.skills.0.name', message: 'must be a string' },
      { path: 'card', message: 'it needs supportedInterfaces' },
    ]),
  ).toBe('skills[0].name: must be a string.\nThe card: it needs supportedInterfaces.')
})
