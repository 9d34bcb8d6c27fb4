import type { LaunchData, Wallet, WalletAgent, WalletPosition, WalletRewards } from '@slipway/client'
import {
  findLaunch,
  fitPosition,
  fitTexts,
  listOf,
  numberOrNull,
  objectOf,
  textOrNull,
  unitsOf,
} from './fit-answers.ts'
import { withNetwork } from './networks.ts'
import { parseList, parseText } from './parse-json.ts'

/** Where a wallet is on this site. */
export const walletHref = (wallet: string, network: string, networks: readonly string[]): string =>
  withNetwork(`/wallets/${wallet}`, network, networks)

/** What pages show of a wallet. */
export interface Holdings {
  positions: Position[]
  launches: CreatedLaunch[]
  agents: WalletAgent[]
  rewards: WalletRewards[]
  /** Whether tokens that it holds may be missing. */
  truncated: boolean
  /** How many launches could not be read, though the wallet may have something in them. */
  unread: number
  /** Where each list continues; null at its end. */
  next: Record<HoldingList, string | null>
}

/** The lists that come in pages. */
export type HoldingList = 'positions' | 'launches' | 'agents'
type CreatedLaunch = Pick<LaunchData, 'launch' | 'baseToken'>
export interface Position extends HeldPosition {
  /** What the wallet can do now. */
  actions: string[]
  /** Why nothing can be sold now, in the service's words. */
  sellRefusal: string | null
}
type HeldPosition = Pick<
  WalletPosition,
  | 'genesisAddress'
  | 'launch'
  | 'baseToken'
  | 'deposited'
  | 'share'
  | 'claimable'
  | 'claimed'
  | 'refundable'
  | 'proceeds'
  | 'balance'
  | 'nextClaim'
  | 'quoteMint'
  | 'quoteDecimals'
  | 'baseDecimals'
>

export function fitHoldings(value: Wallet): Holdings {
  const given = objectOf(value)
  const next = objectOf(given.next)
  const listed = listOf(given.positions)
  const positions = listed.flatMap(one => findPosition(one) ?? [])
  return {
    positions,
    launches: listOf(given.launches).flatMap(one => findCreated(one) ?? []),
    agents: listOf(given.agents).flatMap(one => {
      const agent = fitTexts(one, ['name', 'wallet'])
      if (!parseText(agent.address)) return []
      return {
        ...agent,
        image: textOrNull(agent.image),
        lamports: unitsOf(agent.lamports),
      } as unknown as WalletAgent
    }),
    rewards: listOf(given.rewards).flatMap(one => {
      const { quoteMint, claimable, buckets } = objectOf(one)
      const mint = parseText(quoteMint)
      return mint
        ? { quoteMint: mint, claimable: unitsOf(claimable), buckets: numberOrNull(buckets) ?? 0 }
        : []
    }),
    truncated: given.truncated === true,
    unread: parseList(given.unavailable).length + listed.length - positions.length,
    next: {
      positions: textOrNull(next.positions),
      launches: textOrNull(next.launches),
      agents: textOrNull(next.agents),
    },
  }
}

/** A description may be long, and no list shows it. */
function findCreated(value: unknown): CreatedLaunch | undefined {
  const found = findLaunch(value)
  return found && { launch: found.launch, baseToken: { ...found.baseToken, description: '' } }
}

/** Without decimals, its amounts mean nothing. */
function findPosition(value: unknown): Position | undefined {
  const created = findCreated(value)
  const given = objectOf(value)
  if (!created || numberOrNull(given.quoteDecimals) === null || numberOrNull(given.baseDecimals) === null)
    return undefined
  const { deposited, share, claimable, claimed, refundable, proceeds, balance, nextClaim, ...rest } =
    fitPosition(value as WalletPosition)
  const { quoteMint, quoteDecimals, baseDecimals } = rest
  return {
    genesisAddress: created.launch.genesisAddress,
    ...created,
    actions: rest.actions.filter(({ available }) => available).map(({ action }) => action),
    sellRefusal: rest.actions.find(({ action }) => action === 'sell')?.reason ?? null,
    ...{ deposited, share, claimable, claimed, refundable, proceeds, balance, nextClaim },
    ...{ quoteMint, quoteDecimals, baseDecimals },
  }
}
