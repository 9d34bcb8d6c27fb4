import { expect, test } from 'vitest'
import { EMPTY_DRAFT, findFaults, toRequest } from './agent-draft.ts'

const PICTURE = 'https://pictures.example/lighthouse.png'
const draftOf = (name: string, picture = '') => ({
  ...EMPTY_DRAFT,
  name,
  description: 'Keeps the light.',
  picture,
})

const documentOf = async (uri: string): Promise<unknown> => (await fetch(uri)).json()

test.each(['Ferrywright', 'Хранитель маяка старого порта', '🗼'.repeat(20), '灯台守'])(
  'the asset of %s has its name in its own document',
  async name => {
    const draft = draftOf(name)
    const { uri } = toRequest(draft)
    expect(findFaults(draft, true)).toEqual({})
    expect(uri.length).toBeLessThanOrEqual(200)
    expect(await documentOf(uri)).toEqual({ name })
  },
)

test('a document that would be too long goes without the name, which the asset has anyway', async () => {
  for (const [name, picture] of [
    ['🗼'.repeat(64), ''],
    ['Хранитель маяка старого порта', `${PICTURE}?${'q'.repeat(60)}`],
  ] as const) {
    const draft = draftOf(name, picture)
    const { uri, agentMetadata } = toRequest(draft)
    expect(findFaults(draft, true)).toEqual({})
    expect(await documentOf(uri)).toEqual(picture ? { image: picture } : {})
    expect(agentMetadata).toMatchObject({ name })
  }
})

test('an address that does not fit is a fault of its own field', () => {
  const long = `${PICTURE}?${'q'.repeat(200)}`
  expect(findFaults(draftOf('Ferrywright', long), false)).toEqual({
    picture: 'This address is too long for the chain. Enter a shorter one.',
  })
  expect(findFaults({ ...draftOf('Ferrywright'), uri: long }, false)).toEqual({
    uri: 'This address is too long for the chain. Enter a shorter one.',
  })
  expect(findFaults({ ...draftOf('Ferrywright', long), uri: PICTURE }, false)).toEqual({})
})
