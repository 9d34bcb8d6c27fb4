/**
 * Everything that differs from one network to another, apart from the programs' addresses and the ports of embedded
 * chains.
 */
export const NETWORK_TABLE = {
  'chain-mainnet': {
    /** The chain's own name, which existing SDK clients send. */
    synonym: 'solana-mainnet',
    /** What pages call it. */
    title: 'Mainnet',
    /** Ends the names of its environment variables, such as `RPC_URL_MAINNET`. */
    suffix: 'MAINNET',
    /** What explorers, wallets and program clients call it. */
    cluster: 'mainnet',
    /** Whether its currency is free, so that rent limits no one. */
    isFree: false,
  },
  'chain-devnet': {
    synonym: 'solana-devnet',
    title: 'Devnet',
    suffix: 'DEVNET',
    cluster: 'devnet',
    isFree: true,
  },
} as const

export const DEFAULT_NETWORK: keyof typeof NETWORK_TABLE = 'chain-mainnet'
