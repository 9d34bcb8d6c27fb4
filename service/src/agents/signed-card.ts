import { z } from 'zod'
import { digestJson } from '../lib/digest-json.ts'
import type { JsonObject } from '../metadata/document-result.ts'
import { isObject, parseJsonText } from '../metadata/parse-json-object.ts'
import { findCardProblems } from './validate-card.ts'

/** A card as its owner sends it: checked, with the bytes that are stored and the hash that is signed. */
export const SignedCard = z
  .custom<JsonObject>(isObject, 'must be an object')
  .transform((card, context) => {
    const sha256 = digestJson(card)
    if (sha256 === undefined) {
      context.addIssue({ code: 'custom', message: 'has no canonical form (RFC 8785)' })
      return z.NEVER
    }
    const text = JSON.stringify(card)
    if (!parseJsonText(text).ok)
      context.addIssue({
        code: 'custom',
        message: 'is nested deeper than 64 levels or has more than 20,000 values',
      })
    for (const { path, message } of findCardProblems(card, { needsVersion: false }))
      context.addIssue({ code: 'custom', message, path: path === '' ? [] : path.split('.') })
    return { sha256, value: card, body: Buffer.from(text) }
  })
  .meta({ $ref: '#/components/schemas/AgentCard', description: 'The new card.' })
