import type { Address } from '@slipway/client'
import { shorten } from '../../lib/format.ts'
import type { Step } from '../intent.ts'
import type { LaunchAction } from './decode-action.ts'

/** The position of the recipient among the accounts of a part. */
const RECIPIENT = 7

/** Says what an action of a launch does. `names` says what to call the addresses that it mentions. */
export function describeAction(
  { kind, fields }: LaunchAction,
  accounts: readonly Address[],
  names: ReadonlyMap<Address, string>,
): Step {
  const facts = Object.entries(fields).map(([name, value]) => `${name} ${value}`)
  const rename = (text: string) => text.replace(ADDRESS, address => names.get(address) ?? shorten(address))
  const detail = [...facts, `accounts ${accounts.join(' ')}`].join('; ')
  const step = (text: string): Step => ({ text: rename(text), detail })
  switch (kind) {
    case 'initialize':
      // The name is the person's own text, so nothing in it is replaced.
      return {
        text: `Create the token “${fields.name}” (${fields.symbol}) with a supply of ${fields.supply}, and its launch`,
        detail,
      }
    case 'launch pool':
      return step(
        `Offer ${fields.amount} in a launch pool. Deposits ${times('open', fields['deposits open'])} and ${times('close', fields['deposits close'])}`,
      )
    case 'bonding curve':
      return step(
        `Offer ${fields.amount} on a bonding curve. Trading ${times('opens', fields['trading opens'])} and ${times('closes', fields['trading closes'])}`,
      )
    case 'launch pool extensions':
    case 'bonding curve extensions':
    case 'liquidity pool extensions':
      return step(`Set rules of the ${kind.replace(' extensions', '')}: ${facts.join('; ')}`)
    case 'proceeds':
      return step(`Share the proceeds: ${fields.proceeds}`)
    case 'finalize':
      return step('Finalize the launch, after which it can’t change')
    case 'first buy':
      return step(`Buy ${fields['at least']} or more for ${fields.price}, before anyone else`)
    default:
      return kind.startsWith('part ')
        ? step(
            `Let ${accounts[RECIPIENT]} claim ${fields.amount === '0 tokens' ? 'a share of the proceeds' : fields.amount}. Claims ${times('open', fields['claims open'])} and ${times('close', fields['claims close'])}`,
          )
        : step(
            `Set aside ${fields.amount} for a liquidity pool, which ${times('can open', fields['pool opens'])}`,
          )
  }
}

/** `close never` is `never close`. */
const times = (verb: string, when: string | undefined): string =>
  when === 'never' ? `never ${verb}` : `${verb} ${when}`

const ADDRESS = /\b[1-9A-HJ-NP-Za-km-z]{32,44}\b/g
