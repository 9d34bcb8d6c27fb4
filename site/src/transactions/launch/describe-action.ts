import type { Address } from '@slipway/launch-model/programs'
import { shorten } from '../../lib/format.ts'
import type { Step } from '../intent.ts'
import { type Fields, LOCKED_FOR_GOOD, OPENING_PRICE, TRIGGERED } from './describe-fields.ts'

/** The position of the recipient among the accounts of a part. */
const RECIPIENT = 7

/**
 * Says what an action of a launch does. The text is for most people; the detail has everything that the bytes say.
 * `names` says what to call addresses, and `shares` which share of the proceeds the person has entered for a bucket.
 */
export function describeAction(
  { name, fields }: { name: string; fields: Fields },
  accounts: readonly Address[],
  { names, shares }: { names: ReadonlyMap<Address, string>; shares: ReadonlyMap<Address, string> },
): Step {
  const facts = Object.entries(fields).map(([label, value]) => `${label} ${value}`)
  const rename = (text: string) =>
    text.replace(ADDRESS, address => names.get(address as Address) ?? shorten(address))
  const detail = [...facts, `accounts ${accounts.join(' ')}`].join('; ')
  const step = (text: string): Step => ({ text: rename(text), detail })
  switch (name) {
    case 'initialize':
      // The name is the person's own text, so nothing in it is replaced.
      return {
        text: `Create the token “${fields.name}” (${fields.symbol}) with a supply of ${fields.supply}, and its launch`,
        detail,
      }
    case 'addLaunchPool':
      return step(
        `Offer ${fields.amount} in a launch pool. Deposits ${times('open', fields['deposits open'])} and ${times('close', fields['deposits close'])}`,
      )
    case 'addCurve':
      return step(
        `Offer ${fields.amount} on a bonding curve. Trading ${times('opens', fields['trading opens'])} and ${times('closes', fields['trading closes'] === TRIGGERED ? SOLD_OUT : fields['trading closes'])}`,
      )
    case 'extendLaunchPool':
      return step(`Set the terms of the launch pool: ${describeTerms(fields)}`)
    case 'extendCurve':
      return step(`Set the terms of the bonding curve: ${describeTerms(fields)}`)
    case 'extendRaydium':
      return step(`Set the terms of the liquidity pool: ${describeTerms(fields)}`)
    case 'setLaunchPoolBehaviors':
    case 'setCurveBehaviors':
      return step(describeProceeds(fields.proceeds as string))
    case 'finalize':
      return step('Finalize the launch, after which it can’t change')
    case 'swapOnCurve':
      return step(`Buy ${fields['at least']} or more for ${fields.price}, before anyone else`)
    case 'addUnlocked':
      return step(
        `Let ${accounts[RECIPIENT]} claim ${describeClaim(fields.amount as string, findShare(accounts, shares))}. Claims ${times('open', fields['claims open'])} and ${times('close', fields['claims close'])}`,
      )
    case 'addRaydium':
      return step(
        `Set aside ${fields.amount} for a liquidity pool, which ${times('can open', fields['pool opens'])}`,
      )
    default:
      throw new RangeError(`no words for ${name}`)
  }
}

/** The purchase that empties a curve triggers its end. */
const SOLD_OUT = 'when the last token is sold'

const describeTerms = (fields: Fields): string =>
  Object.entries(fields)
    .map(([name, value]) => TERMS[name]?.(value) ?? `${name} ${value}`)
    .join('; ')

/** Sentences for fields that can't be read as they are. Creator fees go `to` an address. */
const TERMS: Record<string, (value: string) => string> = {
  'first buy': value => value.replace(/^by (\S+) for /, 'the first buy is reserved for $1, which pays '),
  'creator fees': value => `creator fees go ${value}`,
  liquidity: value => `the liquidity is ${value.startsWith(LOCKED_FOR_GOOD) ? LOCKED_FOR_GOOD : value}`,
}

/** A pool gets its share, and opens at the price that the sale has reached. */
function describeProceeds(proceeds: string): string {
  const parts = proceeds.split(', ')
  const shares = parts.filter(part => part !== '' && !part.startsWith(OPENING_PRICE))
  const pools = parts
    .filter(part => part.startsWith(OPENING_PRICE))
    .map(part => part.slice(OPENING_PRICE.length))
  const sent = shares.length > 0 ? `Send the proceeds of the sale: ${shares.join(', ')}` : 'Send no proceeds'
  return pools.length > 0 ? `${sent}. The sale sets the opening price of ${pools.join(' and ')}` : sent
}

const findShare = (accounts: readonly Address[], shares: ReadonlyMap<Address, string>): string | undefined =>
  accounts.flatMap(account => shares.get(account) ?? [])[0]

/** Shares are set by another instruction, which is compared with the entered ones. */
function describeClaim(amount: string, share: string | undefined): string {
  const proceeds = share && `the ${share} of the proceeds that you entered`
  if (amount !== '0 tokens') return proceeds ? `${amount} and ${proceeds}` : amount
  return proceeds ?? 'nothing'
}

/** `close never` is `never close`. */
const times = (verb: string, when: string | undefined): string =>
  when === 'never' ? `never ${verb}` : `${verb} ${when}`

const ADDRESS = /\b[1-9A-HJ-NP-Za-km-z]{32,44}\b/g
