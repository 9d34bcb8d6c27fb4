export type { AccountChanges, ChainAccount, Commitment } from './ledger/account.ts'
export type { Chain, Commit } from './ledger/create-chain.ts'
export { type LocalChain, type LocalChainOptions, startLocalChain } from './start-local-chain.ts'
