import { genesisAddress, identityAddress } from '@slipway/launch-model/addresses'
import { authorityOf, type LaunchingAgent } from '@slipway/launch-model/plan/launch-plan'
import type { Address } from '@slipway/schema/address'
import type { CreateLaunchBody } from '@slipway/schema/create-launch'
import { type ErrorCode, type ErrorDetail, ServiceError } from '@slipway/schema/errors'
import type { ChainAccount, CheckedReader } from '../../chain/account-reader.ts'
import { decodeAsset } from '../../chain/accounts/asset.ts'
import { decodeGenesisAccount } from '../../chain/accounts/genesis-account.ts'
import { decodeIdentity } from '../../chain/accounts/identity.ts'
import { decodeMint, hasSpecialTransfers } from '../../chain/accounts/mint.ts'

/** What the chain says about the accounts that a request names. */
export interface LaunchBasis {
  mint: Address
  quoteTokenProgram: Address
  quoteDecimals: number
  agent: LaunchingAgent | undefined
  /** Whether the launch's own account exists already. */
  isStarted: boolean
  isFinalized: boolean
}

/**
 * Reads what a launch is based on, in one round trip. `mint` is the key of the new token, or undefined if the
 * mint is to be read from the launch at `genesisAccount`.
 */
export async function readLaunchBasis(
  reader: CheckedReader,
  body: CreateLaunchBody,
  mint: Address | undefined,
): Promise<LaunchBasis> {
  const { agent, launch, genesisAccount } = body
  const sinceMs = performance.now()
  const addresses = [
    launch.quoteMint,
    ...(agent ? [agent.mint, identityAddress(agent.mint)] : []),
    // A launch that has been started names its mint, so the mint need not be read.
    ...(genesisAccount ? [genesisAccount] : body.mint ? [body.mint] : []),
  ]
  const { accounts } = await reader.fetchAccounts([...new Set(addresses)])
  const byAddress = new Map(accounts.map(account => [account.address, account]))
  const found = decodeBasis(body, mint, address => byAddress.get(address) as ChainAccount)
  // Amounts depend on the decimals of the quote token, and a finalized launch cannot be corrected.
  await reader.confirmCluster(sinceMs)
  if ('basis' in found) return found.basis
  throw new ServiceError(found.code, { details: found.details })
}

type Found = { basis: LaunchBasis } | { code: ErrorCode; details: ErrorDetail[] }

const refuse = (path: string, message: string, code: ErrorCode = 'VALIDATION_FAILED'): Found => ({
  code,
  details: [{ path, message }],
})

function decodeBasis(
  body: CreateLaunchBody,
  knownMint: Address | undefined,
  accountAt: (address: Address) => ChainAccount,
): Found {
  const { wallet, launch, genesisAccount } = body
  const quoteAccount = accountAt(launch.quoteMint)
  const quote = decodeMint(quoteAccount)
  if (!quote.exists || !quoteAccount.exists)
    return refuse('launch.quoteMint', 'is not a mint on this network')
  if (hasSpecialTransfers(quoteAccount))
    return refuse(
      'launch.quoteMint',
      'has transfers that charge a fee, call a program, or can be forbidden or reversed',
    )
  const started = genesisAccount ? decodeGenesisAccount(accountAt(genesisAccount)) : undefined
  if (genesisAccount && !started?.exists && accountAt(genesisAccount).exists)
    return refuse('genesisAccount', 'is not a launch', 'GENESIS_NOT_FOUND')
  if (started?.exists && genesisAccount !== genesisAddress(started.baseMint))
    return refuse('genesisAccount', "was not created here: it is not its token's first launch")
  const mint = started?.exists ? started.baseMint : knownMint
  if (!mint) return refuse('genesisAccount', 'does not exist: create the launch again', 'GENESIS_NOT_FOUND')
  if (body.mint && !genesisAccount && accountAt(body.mint).exists)
    return refuse('mint', 'exists already: continue its launch with genesisAccount, or use a fresh key')
  const agent = decodeAgent(body, mint, accountAt)
  if (agent && 'code' in agent) return agent
  if (started?.exists && started.authority !== authorityOf({ wallet, agent }))
    return refuse('genesisAccount', 'is the launch of another wallet or agent', 'NOT_AUTHORIZED')
  return {
    basis: {
      mint,
      quoteTokenProgram: quote.tokenProgram,
      quoteDecimals: quote.decimals,
      agent,
      isStarted: started?.exists ?? false,
      isFinalized: started?.exists === true && started.finalized,
    },
  }
}

function decodeAgent(
  { agent, wallet }: CreateLaunchBody,
  mint: Address,
  accountAt: (address: Address) => ChainAccount,
): LaunchingAgent | Extract<Found, { code: ErrorCode }> | undefined {
  if (!agent) return undefined
  const asset = decodeAsset(accountAt(agent.mint))
  const identity = decodeIdentity(accountAt(identityAddress(agent.mint)))
  const fail = (message: string, code: ErrorCode = 'VALIDATION_FAILED', path = 'agent.mint') => ({
    code,
    details: [{ path, message }],
  })
  if (!asset.exists || !identity.exists) return fail('is not an agent on this network')
  if (asset.owner !== wallet) return fail('is not owned by wallet', 'NOT_AUTHORIZED')
  if (agent.setToken && identity.agentToken && identity.agentToken !== mint)
    return fail('the agent has a token already', 'VALIDATION_FAILED', 'agent.setToken')
  return { asset: agent.mint, collection: asset.collection, setsToken: agent.setToken }
}
