export type { AccountChanges, ChainAccount, Commitment } from './ledger/account.ts'
export type { Chain, Commit } from './ledger/create-chain.ts'
export type { Keypair } from './ledger/keypair.ts'
export { type Demo, startDemo } from './start-demo.ts'
export { StartError } from './start-error.ts'
export { type LocalChain, type LocalChainOptions, type Log, startLocalChain } from './start-local-chain.ts'
export {
  buildWorld,
  type World,
  type WorldAgent,
  type WorldLaunch,
  type WorldReward,
} from './world/build-world.ts'
export { registrationOf } from './world/registration.ts'
