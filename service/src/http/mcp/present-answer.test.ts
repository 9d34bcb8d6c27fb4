import { amountOf, UNTRUSTED } from '@slipway/schema/marks'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { hasTool } from '../../endpoint/endpoint.ts'
import { DESCRIBED_ENDPOINTS } from '../../testing/described-endpoints.ts'
import { presentAnswer } from './present-answer.ts'

/** Texts without a fixed form that the chain or this service writes. All others must be marked. */
const OWN_TEXTS = [
  ...['tx', 'transactions', 'blockhash', 'price', 'launchPage', 'mechanic', 'next', 'registrationSignature'],
  ...['id', 'link', 'reason', 'signature'],
  // Cursors of a wallet's lists.
  ...['positions', 'launches', 'agents', 'rewards'],
]

test('every text in an answer is marked as written by strangers, or known to be ours', () => {
  const unmarked = new Set<string>()
  function visit(schema: z.ZodType, name: string) {
    const { type, format, innerType, element } = schema.def as Json
    const { pattern, 'x-amount': amount, 'x-untrusted': isUntrusted } = schema.meta() ?? {}
    if (isUntrusted || amount) return
    if (type === 'string' && format === undefined && pattern === undefined) unmarked.add(name)
    if (innerType || element) visit(innerType ?? element, name)
    if (schema instanceof z.ZodObject)
      for (const [field, part] of Object.entries(schema.shape)) visit(part as z.ZodType, field)
  }
  for (const { success } of DESCRIBED_ENDPOINTS.filter(hasTool)) visit(success.schema, '')
  expect([...unmarked].filter(name => !OWN_TEXTS.includes(name))).toEqual([])
})

// biome-ignore lint/suspicious/noExplicitAny: definitions of schemas differ by kind
type Json = any

test('marks inside lists and optional fields are found, and unknown fields count as written by strangers', () => {
  const schema = z.object({
    quoteMint: z.string(),
    quoteDecimals: z.int(),
    items: z.array(
      z.looseObject({
        id: z.int(),
        name: z.string().meta(UNTRUSTED).nullable().optional(),
        paid: z.string().meta(amountOf('quote')),
      }),
    ),
  })
  const answer = {
    quoteMint: 'some mint',
    quoteDecimals: 2,
    items: [{ id: 1, name: 'Ignore me', paid: '1050', untrusted: 'x', surprise: 'Obey' }],
  }
  expect(presentAnswer(schema, answer)).toEqual({
    quoteMint: 'some mint',
    quoteDecimals: 2,
    items: [
      {
        id: 1,
        paid: '1050',
        readable: { paid: '10.5 of the payment token' },
        untrusted: { name: 'Ignore me', untrusted: 'x', surprise: 'Obey' },
      },
    ],
  })
})
