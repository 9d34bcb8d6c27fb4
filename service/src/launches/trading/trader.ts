import { assetSignerAddress } from '@slipway/launch-model/addresses'
import { tokensOf } from '@slipway/launch-model/calls/trades'
import { RENT_SYSVAR, WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import { TOKEN_ACCOUNT_BYTES } from '@slipway/launch-model/rent'
import type { Funds, Step, TraderAccounts } from '@slipway/launch-model/trade/wrap-native'
import type { Address } from '@slipway/schema/address'
import { ServiceError } from '@slipway/schema/errors'
import type { ChainAccount } from '../../chain/account-reader.ts'
import { decodeAsset } from '../../chain/accounts/asset.ts'
import { decodeRent } from '../../chain/accounts/rent.ts'
import { decodeTokenAccount } from '../../chain/accounts/token-account.ts'
import { type AssetWitnesses, isOnAnotherEndpoint } from '../../chain/confirm-asset.ts'
import type { LaunchShape } from './launch-shape.ts'
import type { Markets, NamedAccounts } from './markets.ts'
import type { MarketReading } from './read-market.ts'

/** Who takes part in a launch, as every request for a transaction says. */
export interface TraderRequest {
  genesis: Address
  /** The wallet whose funds move, or the owner of the agent whose funds move. */
  wallet: Address
  payer?: Address | undefined
  agent?: Address | undefined
  priorityFee: bigint
  /** The most that the transactions may cost the payer, in lamports. */
  payerMax?: bigint | undefined
}

/** Whose funds move, who pays, and the accounts that hold their balances. */
export function traderOf({ wallet, payer = wallet, agent }: Omit<TraderRequest, 'genesis' | 'priorityFee'>) {
  const trader = agent ? assetSignerAddress(agent) : wallet
  return {
    trader,
    payer,
    named: ({ base, quote }: LaunchShape): Address[] => [
      RENT_SYSVAR,
      wallet,
      payer,
      trader,
      tokensOf(base, trader),
      tokensOf(quote, trader),
      ...(agent ? [agent] : []),
    ],
  }
}

/** Reads the launch with these accounts, and again if another endpoint has the agent that this one lacks. */
export async function readFor(
  { markets, ...witnesses }: AssetWitnesses & { markets: Pick<Markets, 'read'> },
  { genesis, agent }: Pick<TraderRequest, 'genesis' | 'agent'>,
  named: NamedAccounts,
): Promise<MarketReading> {
  const sinceMs = performance.now()
  const reading = await markets.read(genesis, named)
  const asset = agent && reading.others.get(agent)
  return asset && (await isOnAnotherEndpoint(witnesses, asset, sinceMs))
    ? markets.read(genesis, named)
    : reading
}

/**
 * The agent, if one takes part. The chain checks its owner too; this saves the caller a transaction that can't
 * succeed.
 */
export function assertOwned(
  { others }: Pick<MarketReading, 'others'>,
  { agent, wallet }: Pick<TraderRequest, 'agent' | 'wallet'>,
): { asset: Address; collection?: Address | undefined } | undefined {
  if (!agent) return undefined
  const asset = decodeAsset(others.get(agent) as ChainAccount)
  if (!asset.exists) throw new ServiceError('AGENT_NOT_FOUND')
  if (asset.owner !== wallet) throw new ServiceError('NOT_AUTHORIZED')
  return { asset: agent, collection: asset.collection }
}

/** What a transaction depends on besides its purpose. */
export function fundsOf(reading: MarketReading, request: TraderRequest): Funds & { genesis: Address } {
  const { trader, payer } = traderOf(request)
  return {
    genesis: request.genesis,
    tokens: reading.shape,
    trader,
    payer,
    isAgent: request.agent !== undefined,
    holds: accountsHeld(reading, trader),
    accountRent: decodeRent(reading.others.get(RENT_SYSVAR))(TOKEN_ACCOUNT_BYTES),
    priorityFee: request.priorityFee,
  }
}

/**
 * Money sent to a token account's address before it exists does not create it. An account whose owner has given it
 * away keeps its address, and would receive the purchase.
 */
function accountsHeld({ shape, others }: MarketReading, trader: Address): TraderAccounts {
  const held = (token: LaunchShape['base']) => {
    const account = decodeTokenAccount(others.get(tokensOf(token, trader)) as ChainAccount)
    if (account.exists && (account.holder !== trader || account.mint !== token.mint))
      throw new ServiceError('TOKEN_ACCOUNT_TAKEN')
    return account
  }
  const quote = held(shape.quote)
  return { hasBase: held(shape.base).exists, quote: quote.exists ? quote : undefined }
}

/** An account's close authority receives all of its wrapped SOL. If that is someone else, no trade may use it. */
export function assertKept({ shape, others }: MarketReading, trader: Address, steps: readonly Step[]): void {
  if (shape.quote.mint !== WRAPPED_NATIVE_MINT) return
  const address = tokensOf(shape.quote, trader)
  const account = decodeTokenAccount(others.get(address) as ChainAccount)
  const isUsed = steps.some(({ call }) => call.accounts.some(one => one.address === address))
  if (account.exists && account.isClosedByOthers && isUsed) throw new ServiceError('TOKEN_ACCOUNT_TAKEN')
}
