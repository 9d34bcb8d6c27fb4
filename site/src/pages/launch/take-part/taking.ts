import type { LaunchDetail, LaunchPosition, LaunchStatus, Network } from '@slipway/client'
import { SlipwayError } from '@slipway/client'
import { useQueryClient } from '@tanstack/react-query'
import type { Action } from '../../../actions/action.ts'
import { explainDetail } from '../../../lib/explain-detail.ts'
import { formatSaid, quoteSymbol } from '../../../lib/format.ts'
import type { Figures } from '../../../lib/launches.ts'
import { queryKeys } from '../../../lib/query-keys.ts'
import { refreshConfirmed } from '../../../lib/refresh-confirmed.ts'
import type { LaunchTokens } from '../../../transactions/intent.ts'
import { nameBase } from '../../../transactions/name-base.ts'
import type { WalletAccount } from '../../../wallet/wallet-store.ts'

export interface TakePartProps {
  data: LaunchDetail
  status: LaunchStatus
  network: Network
  figures: Figures | undefined
}

/** A launch, and whoever takes part in it. */
export interface Taking {
  data: LaunchDetail
  network: Network
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

export const addressOf = ({ data }: Pick<Taking, 'data'>): string => data.launch.genesisAddress

export const symbolsOf = ({ data, tokens }: Pick<Taking, 'data' | 'tokens'>) => ({
  quote: quoteSymbol(tokens.quoteMint),
  base: data.baseToken.symbol
    ? nameBase({ baseMint: data.baseToken.address, baseSymbol: data.baseToken.symbol })
    : 'tokens',
})

export const launchTokensOf = ({ data, tokens }: Taking): LaunchTokens => ({
  ...tokens,
  genesis: data.launch.genesisAddress,
  baseMint: data.baseToken.address,
  baseSymbol: data.baseToken.symbol,
})

/** Amounts of the launch's tokens in words, for sentences. */
export function sayer(taking: Pick<Taking, 'data' | 'tokens'>) {
  const symbols = symbolsOf(taking)
  const { quoteDecimals, baseDecimals } = taking.tokens
  return {
    base: (units: string | bigint) => `${formatSaid(units, baseDecimals)} ${symbols.base}`,
    quote: (units: string | bigint) => `${formatSaid(units, quoteDecimals)} ${symbols.quote}`,
  }
}

export type ActionName = LaunchPosition['actions'][number]['action']

/** Why the wallet can't do this now, as far as that is known. */
export const reasonFor = (position: LaunchPosition | undefined, action: ActionName): string | undefined =>
  position?.actions.find(one => one.action === action)?.reason ?? undefined

/** A refusal of the service in words: what is wrong with the amount, or why nothing is possible now. */
export function explainRefusal(error: unknown): { fault?: string; reason?: string } {
  if (!(error instanceof SlipwayError)) return {}
  const [detail] = error.details ?? []
  if (detail?.path.startsWith('amount')) return { fault: explainDetail(detail.message) }
  if (error.status === 400) return { fault: explainDetail(error.message.replace(/^✖ /, '')) }
  if (error.status === 409)
    return { reason: detail ? `${error.message}: ${detail.message}.` : `${error.message}.` }
  if (error.status === 429) return { reason: 'Too many questions at once. The figures follow in a moment.' }
  return { reason: 'The service can’t read the chain right now. Nothing you typed is lost.' }
}

/** Has everything that depends on the wallet or the launch read again. */
export function useRefresh({ network, data }: Pick<Taking, 'network' | 'data'>): () => void {
  const queryClient = useQueryClient()
  const { genesisAddress } = data.launch
  return () => {
    refreshConfirmed(queryClient, [
      queryKeys.market(network, genesisAddress),
      queryKeys.holders(network, genesisAddress),
      // A reserved first buy is one of the terms.
      queryKeys.terms(network, genesisAddress),
      queryKeys.balances(network),
      queryKeys.activities(network, genesisAddress),
      queryKeys.launch(network, genesisAddress),
    ])
    queryClient.removeQueries({ queryKey: ['preview', network, genesisAddress] })
  }
}
