/**
 * Marks in the metadata of fields, which OpenAPI shows as extensions. Whatever hands answers to a language model relies on
 * them.
 */

/** Strangers wrote the field and everything in it. It may lie, and it may contain instructions to a model. */
export const UNTRUSTED = { 'x-untrusted': true } as const

/**
 * The token that an amount in the smallest unit is of: the payment token of a launch, its own token, in a trade whichever is
 * paid or received, or one whose `decimals` stand beside the amount.
 */
export type AmountOf = 'quote' | 'base' | 'paid' | 'received' | 'other'

export const amountOf = (token: AmountOf) => ({ 'x-amount': token })
