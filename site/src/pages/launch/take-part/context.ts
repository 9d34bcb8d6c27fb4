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
  tokens: Tokens
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

/** What a launch is paid in, and how its amounts are written. */
interface Tokens {
  quoteMint: string
  quoteDecimals: number
  baseDecimals: number
}
type Named = Pick<TakePartContext, 'data' | 'tokens'>

export const addressOf = ({ data }: Pick<TakePartContext, 'data'>): string => data.launch.genesisAddress

export const symbolsOf = ({ data: { baseToken }, tokens }: Named) => ({
  quote: quoteSymbol(tokens.quoteMint),
  base: baseToken.symbol ? nameBase({ baseMint: baseToken.address, baseSymbol: baseToken.symbol }) : 'tokens',
})

export const launchTokensOf = ({ data, tokens }: Named): LaunchTokens => ({
  ...tokens,
  genesis: data.launch.genesisAddress,
  baseMint: data.baseToken.address,
  baseSymbol: data.baseToken.symbol,
})

/** Amounts of the launch's tokens in words, for sentences. */
export function sayer(named: Named) {
  const symbols = symbolsOf(named)
  const { quoteDecimals, baseDecimals } = named.tokens
  return {
    base: (units: string | bigint) => `${formatSaid(units, baseDecimals)} ${symbols.base}`,
    quote: (units: string | bigint) => `${formatSaid(units, quoteDecimals)} ${symbols.quote}`,
  }
}

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
