/**
 * Marks in the metadata of fields, which OpenAPI shows as extensions. The MCP server relies on them when it hands
 * answers to a language model.
 */

/** Strangers wrote the field and everything in it. It may lie, and it may contain instructions to a model. */
export const UNTRUSTED = { 'x-untrusted': true } as const

/**
 * The token of an amount in the smallest unit: the payment token of a launch, its own token, the token that a trade
 * pays or receives, or one whose `decimals` are next to the amount.
 */
export type AmountOf = 'quote' | 'base' | 'paid' | 'received' | 'other'

export const amountOf = (token: AmountOf) => ({ 'x-amount': token })
