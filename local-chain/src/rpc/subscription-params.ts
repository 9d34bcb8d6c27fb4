import type { Address } from '@solana/kit'
import { invalidParams, RpcError } from './errors.ts'
import { toAddress, wrongType } from './params.ts'

/** Over WebSocket, a node has its own message for a text that is not a valid address or signature. */
export function parseSubject<T>(kind: string, parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    if (error instanceof RpcError && error.message.startsWith('Invalid param:'))
      throw invalidParams(`Invalid Request: Invalid ${kind} provided`)
    throw error
  }
}

/** The address that a logs subscription filters by; undefined means all transactions. */
export function mentionedAddress(filter: unknown): Address | undefined {
  if (filter === 'all' || filter === 'allWithVotes') return undefined
  if (typeof filter !== 'object' || filter === null || !('mentions' in filter))
    throw wrongType(filter, 'string or map')
  const { mentions } = filter
  if (!Array.isArray(mentions) || mentions.length !== 1) {
    throw invalidParams('Invalid Request: Only 1 address supported')
  }
  return parseSubject('mentions', () => toAddress(mentions[0]))
}
