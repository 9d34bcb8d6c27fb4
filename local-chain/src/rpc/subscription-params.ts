import type { Address } from '@solana/kit'
import { invalidParams, RpcError } from './errors.ts'
import { toAddress, wrongType } from './params.ts'

/** A text that is no address or signature is refused in other words than over HTTP; what is no text in the same. */
export function named<T>(thing: string, parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    if (error instanceof RpcError && error.message.startsWith('Invalid param:'))
      throw invalidParams(`Invalid Request: Invalid ${thing} provided`)
    throw error
  }
}

/** Whose transactions a subscription to logs is about; undefined when it is about all. */
export function mentionedAddress(filter: unknown): Address | undefined {
  if (filter === 'all' || filter === 'allWithVotes') return undefined
  if (typeof filter !== 'object' || filter === null || !('mentions' in filter))
    throw wrongType(filter, 'string or map')
  const { mentions } = filter
  if (!Array.isArray(mentions) || mentions.length !== 1) {
    throw invalidParams('Invalid Request: Only 1 address supported')
  }
  return named('mentions', () => toAddress(mentions[0]))
}
