import type { Network } from '@slipway/client'
import type { Period } from './read-series.ts'

/** The name of everything that pages ask for. A shorter key names all that begin with it. */
export const queryKeys = {
  /** All lists of launches. */
  launches: (network: Network) => ['launches', network] as const,
  launchList: <Filter extends { network: Network }>(filter: Filter) =>
    ['launches', filter.network, filter] as const,
  launchCounts: (network: Network) => ['launch-counts', network] as const,
  launchCountsOf: (network: Network, mechanic: string | undefined) =>
    ['launch-counts', network, mechanic ?? null] as const,
  spotlight: (network: Network) => ['spotlight', network] as const,
  search: (text: string) => ['search', text] as const,
  launch: (network: Network, address: string) => ['launch', network, address] as const,
  activities: (network: Network, address: string) => ['activity', network, address] as const,
  activity: (network: Network, address: string, period: Period) =>
    ['activity', network, address, period] as const,
  /** Prices, positions and trades in a launch, which change with every trade and deposit. */
  market: (network: Network, address: string) => ['market', network, address] as const,
  quote: (network: Network, address: string, order: object) =>
    ['market', network, address, 'quote', order] as const,
  position: (network: Network, address: string, wallet: string) =>
    ['market', network, address, 'position', wallet] as const,
  trades: (network: Network, address: string) => ['market', network, address, 'trades'] as const,
  movements: (network: Network, address: string) => ['market', network, address, 'movements'] as const,
  candles: (network: Network, address: string, period: Period) =>
    ['market', network, address, 'candles', period] as const,
  pool: (network: Network, address: string) => ['market', network, address, 'pool'] as const,
  holders: (network: Network, address: string) => ['holders', network, address] as const,
  terms: (network: Network, address: string) => ['terms', network, address] as const,
  /** What a deposit or a withdrawal would do. The service builds a transaction for it. */
  preview: (network: Network, address: string, request: object) =>
    ['preview', network, address, request] as const,
  authority: (network: Network, address: string) => ['authority', network, address] as const,
  token: (network: Network, mint: string) => ['token', network, mint] as const,
  agent: (network: Network, address: string) => ['agent', network, address] as const,
  agentWallet: (network: Network, address: string) => ['agent-wallet', network, address] as const,
  agentDelegates: (network: Network, address: string) => ['agent-delegates', network, address] as const,
  allAgents: () => ['agents'] as const,
  agents: (network: Network) => ['agents', network] as const,
  agentPage: <Filter extends { network: Network }>(filter: Filter) =>
    ['agents', filter.network, filter] as const,
  ownedAgents: (network: Network, owner: string | undefined, text: string, count: number) =>
    ['agents', network, 'owned', owner, text, count] as const,
  cardKeys: () => ['card-keys'] as const,
  rewards: (network: Network, wallet: string) => ['rewards', network, wallet] as const,
  earnings: (network: Network) => ['earnings', network] as const,
  wallet: (network: Network, wallet: string) => ['wallet', network, wallet] as const,
  walletList: (network: Network, wallet: string, list: string, start: string | null) =>
    ['wallet', network, wallet, list, start] as const,
  walletTrades: (network: Network, wallet: string) => ['wallet', network, wallet, 'trades'] as const,
  rent: (network: Network) => ['rent', network] as const,
  balances: (network: Network) => ['balance', network] as const,
  balance: (network: Network, wallet: string) => ['balance', network, wallet] as const,
  balancesOf: (network: Network, wallets: readonly string[]) => ['balance', network, wallets] as const,
  networkOf: (address: string) => ['network-of', address] as const,
}
