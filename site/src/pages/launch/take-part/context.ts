import type { LaunchDetail, LaunchPosition, LaunchStatus, Network } from '@slipway/client'
import type { Action } from '../../../actions/action.ts'
import { formatSaid, quoteSymbol } from '../../../lib/format.ts'
import type { Figures } from '../../../lib/launches.ts'
import type { LaunchTokens } from '../../../transactions/intent.ts'
import { nameBase } from '../../../transactions/name-base.ts'
import type { WalletAccount } from '../../../wallet/wallet-store.ts'

export interface TakePartProps {
  data: LaunchDetail
  status: LaunchStatus
  network: Network
  figures: Figures | undefined
}

/** A launch, the connected account, and its position there. */
export interface TakePartContext extends Pick<TakePartProps, 'data' | 'network' | 'figures'> {
  /** Of the launch. */
  address: string
  /** The launch and its tokens, as intents name them. */
  tokens: LaunchTokens
  quote: Token
  base: Token
  /** The connected account, if it is on this network. */
  account: WalletAccount | undefined
  /** The text of the button that asks for such an account. */
  connect: string
  /** Undefined while it is not known. */
  position: LaunchPosition | undefined
  /** Opens the sheet in which an action is signed. It outlives the part that opened it. */
  open(action: Action): void
  /** Called when something that changes the position is confirmed. */
  onConfirmed(): void
  /** Called when something new is begun. What was said about the last transaction would look like its outcome. */
  onBegin(): void
}

/** How amounts of a token are written. */
export interface Token {
  decimals: number
  symbol: string
}

/** What a launch is paid in, and what it sells. */
export const tokensOf = (
  { baseToken }: Pick<LaunchDetail, 'baseToken'>,
  { quoteMint, quoteDecimals, baseDecimals }: Pick<Figures, 'quoteMint' | 'quoteDecimals' | 'baseDecimals'>,
): { quote: Token; base: Token } => ({
  quote: { decimals: quoteDecimals, symbol: quoteSymbol(quoteMint) },
  base: {
    decimals: baseDecimals,
    symbol: baseToken.symbol
      ? nameBase({ baseMint: baseToken.address, baseSymbol: baseToken.symbol })
      : 'tokens',
  },
})

/** An amount in words, for sentences. */
export const say = (units: string | bigint, { decimals, symbol }: Token): string =>
  `${formatSaid(units, decimals)} ${symbol}`

type ActionName = LaunchPosition['actions'][number]['action']

/** What the service says about an action of the wallet, as far as that is known. */
export const actionOf = (position: LaunchPosition | undefined, name: ActionName) =>
  position?.actions.find(({ action }) => action === name)

/** Why the wallet can't do this now, as far as that is known. */
export const reasonFor = (position: LaunchPosition | undefined, name: ActionName): string | undefined =>
  actionOf(position, name)?.reason ?? undefined

export const SLIPPAGES = [
  { value: '0.5', text: '0.5%' },
  { value: '1', text: '1%' },
  { value: '5', text: '5%' },
  { value: 'own', text: 'Custom' },
] as const

export interface Slippage {
  choice: (typeof SLIPPAGES)[number]['value']
  own: string
}
/** What the form begins with. */
export const SLIPPAGE: Slippage = { choice: '1', own: '' }

const BPS_MAX = 5_000

/** In basis points; undefined if it is no percentage from 0 to 50. */
export function parseSlippage({ choice, own }: Slippage): number | undefined {
  const text = choice === 'own' ? own.trim().replace(',', '.') : choice
  if (!/^\d{1,2}(\.\d{1,2})?$/.test(text)) return undefined
  const bps = Math.round(Number(text) * 100)
  return bps <= BPS_MAX ? bps : undefined
}
