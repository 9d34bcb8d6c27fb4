import { formatAmount } from '@slipway/client'
import { associatedTokenAddress } from '@slipway/launch-model/addresses'
import { tokensOf } from '@slipway/launch-model/calls/trades'
import { type Address, WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import type { Funds } from '@slipway/launch-model/trade/wrap-native'
import { formatExactly, formatSaid, quoteSymbol, shorten } from '../lib/format.ts'
import { type LaunchTokens, refuse, type Step } from './intent.ts'
import { nameBase } from './name-base.ts'

type Launch = LaunchTokens<Address>

/** An exact amount: what is signed must not be rounded. */
export const formatSol = (lamports: bigint): string => `${formatAmount(lamports, 9)} SOL`

/** An exact amount of the payment token. */
export const formatQuote = (units: bigint, { quoteMint, quoteDecimals }: Launch): string =>
  `${formatExactly(units, quoteDecimals)} ${quoteSymbol(quoteMint)}`

/** An exact amount of the launch's token. */
export const formatBase = (units: bigint, launch: Launch): string =>
  `${formatExactly(units, launch.baseDecimals)} ${launch.baseSymbol ? '' : 'of '}${nameBase(launch)}`

/** The same as people say it: never more than it is. */
export const sayQuote = (units: bigint, { quoteMint, quoteDecimals }: Launch): string =>
  `${formatSaid(units, quoteDecimals)} ${quoteSymbol(quoteMint)}`

export const sayBase = (units: bigint, launch: Launch): string =>
  `${formatSaid(units, launch.baseDecimals)} ${launch.baseSymbol ? '' : 'of '}${nameBase(launch)}`

export const tokenName = (mint: Address): string =>
  mint === WRAPPED_NATIVE_MINT ? 'wrapped SOL' : shorten(mint)

/** Opens a wallet's own account for a token. */
export function openedAccount(
  { mint, program }: { mint: Address; program: Address },
  owner: Address,
  { payer, names }: { payer: Address; names?: ReadonlyMap<Address, string> | undefined },
): Step {
  const account = associatedTokenAddress(mint, owner, program)
  const whose = owner === payer ? 'your wallet' : (names?.get(owner) ?? shorten(owner))
  const token = names?.get(mint) ?? tokenName(mint)
  return {
    text: `Open ${whose}’s account for ${token}, if needed`,
    detail: `Account ${account} of ${owner}, token ${mint}, program ${program}`,
  }
}

/** What the instructions around a trade or a deposit do. */
export function describeFunds(
  { tokens, trader, holds, accountRent }: Funds,
  {
    isUnwrapped,
    arrives = isUnwrapped,
    name,
  }: {
    isUnwrapped: boolean
    /** What to call the launch's token. */
    name?: string | undefined
    /** Whether the wallet receives any of the payment token. */
    arrives?: boolean
  },
): Step[] {
  const names = name ? new Map([[tokens.base.mint, name]]) : undefined
  const isNative = tokens.quote.mint === WRAPPED_NATIVE_MINT
  const account = tokensOf(tokens.quote, trader)
  const steps: Step[] = []
  if (!holds.hasBase)
    steps.push({ ...openedAccount(tokens.base, trader, { payer: trader, names }), isMinor: true })
  if (!holds.quote)
    steps.push(
      isNative
        ? {
            text: 'Open a temporary wrapped SOL account and close it afterwards',
            detail: `Account ${account}`,
            isMinor: true,
          }
        : { ...openedAccount(tokens.quote, trader, { payer: trader, names }), isMinor: true },
    )
  if (isNative && isUnwrapped && holds.quote && !holds.quote.isDelegated)
    steps.push({
      text: `Turn the wrapped SOL that arrives into SOL. The wrapped SOL account keeps ${formatSol(accountRent + holds.quote.amount)}, rent included`,
      detail: `Account ${account}`,
      isMinor: true,
    })
  if (isNative && arrives && holds.quote?.isDelegated)
    steps.push({
      text: 'What arrives stays wrapped in your account for wrapped SOL, from which another key may be able to spend',
      detail: `Account ${account}`,
      done: 'Confirmed. What arrived is in your account for wrapped SOL, from which another key may be able to spend.',
    })
  return steps
}

const PRINTABLE = /^[\x21-\x7e]+$/
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/**
 * The service chooses the URLs of the documents that it hosts. They are public for good, so they must be ones that
 * anyone can check: over HTTPS, or at this page's own address.
 */
export function parseDocumentUrl(text: string): URL {
  const url = PRINTABLE.test(text) && URL.canParse(text) ? new URL(text) : undefined
  const isAllowed =
    url?.protocol === 'https:' ||
    (url?.protocol === 'http:' && (url.origin === pageOrigin() || LOOPBACK.test(url.hostname)))
  return isAllowed
    ? url
    : refuse(`The transaction refers to a document at an address that isn’t safe: ${text}`)
}

/** Undefined outside browsers. */
const pageOrigin = () => (globalThis as { location?: { origin: string } }).location?.origin
