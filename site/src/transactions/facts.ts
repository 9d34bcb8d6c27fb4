import {
  assetSignerAddress,
  associatedTokenAddress,
  bucketCandidates,
  bucketsOfKind,
  depositAddress,
  poolStateAddress,
} from '@slipway/launch-model/addresses'
import { decodeBucketData, decodeRewardData, type RewardBucket } from '@slipway/launch-model/bucket'
import { decode } from '@slipway/launch-model/bytes/codec'
import { collectionIn } from '@slipway/launch-model/calls/agents'
import { decodeGenesisData } from '@slipway/launch-model/genesis-account'
import type { Deposit } from '@slipway/launch-model/kinds/bucket-kind'
import { becomesPool, DEPOSIT_KINDS } from '@slipway/launch-model/kinds/kinds'
import { unlocked } from '@slipway/launch-model/kinds/unlocked'
import { showsGraduation } from '@slipway/launch-model/launch-times'
import { NETWORK_TABLE } from '@slipway/launch-model/networks'
import type { HeldTokens } from '@slipway/launch-model/plan-agent'
import { decodePoolData } from '@slipway/launch-model/pool-state'
import type { PositionAccounts } from '@slipway/launch-model/position-accounts'
import {
  type Address,
  CLOCK_SYSVAR,
  CORE_PROGRAM,
  GENESIS_PROGRAM,
  type RaydiumEnvironment,
  RENT_SYSVAR,
  SYSVAR_OWNER,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_NATIVE_MINT,
} from '@slipway/launch-model/programs'
import { decodeRent, type Rent, TOKEN_ACCOUNT_BYTES } from '@slipway/launch-model/rent'
import { decodeTokenAccountData, type TokenAccount } from '@slipway/launch-model/token-account'
import { fetchAccounts, fetchOwned, fetchTokenAccounts, type OwnedAccount, WrongAnswer } from '../lib/rpc.ts'
import { fetchPool, type Place, type ReadPool } from './fetch-pool.ts'
import { type Intent, type LaunchTokens, refuse } from './intent.ts'

/** A token, by its mint on the chain. */
export interface KnownToken {
  mint: Address
  program: Address
  decimals: number
}

/**
 * What transactions are planned from, besides the intent: accounts that the page has read through its own RPC. What
 * the intent has no use for is empty.
 */
export interface Facts {
  environment: RaydiumEnvironment
  tokens: ReadonlyMap<string, KnownToken>
  accountRent: bigint
  /** The wallet's account for wrapped SOL. */
  wrapped: TokenAccount | undefined
  launch: LaunchFacts | undefined
  agent: { collection: Address | undefined; held: readonly HeldTokens[] } | undefined
  /** The buckets that creator rewards are claimed from, and the configurations of their pools. */
  rewards: ReadonlyMap<string, KnownReward>
}

type KnownReward = Pick<RewardBucket, 'kind' | 'genesis'> & {
  baseMint: Address
  quoteMint: Address
  ammConfig?: Address | undefined
}

/**
 * A token, with as many decimals as the page shows. With wrong ones, a typed `1` is ten times as much, and the review
 * would still say `1`.
 */
export function tokenIn({ tokens }: Facts, mint: Address, shown: number): KnownToken {
  const token = tokens.get(mint) ?? refuse(`The chain doesn’t know the token ${mint}.`)
  if (token.decimals !== shown)
    refuse(
      `This page counts with ${shown} decimals for the token ${mint}. It has ${token.decimals}, so every amount shown here is wrong.`,
    )
  return token
}

export interface LaunchFacts {
  accounts: PositionAccounts
  pool: ReadPool | undefined
}

export async function readFacts(
  place: Place,
  given: Intent,
  signer: string,
  /** The buckets that creator rewards are claimed from. */
  claimed: readonly Address[] = [],
): Promise<Facts> {
  const [intent, wallet] = [given as Intent<Address>, signer as Address]
  const facts: Facts = {
    environment: NETWORK_TABLE[place.network].cluster,
    ...{ tokens: new Map(), accountRent: 0n, wrapped: undefined },
    ...{ launch: undefined, agent: undefined, rewards: new Map() },
  }
  switch (intent.kind) {
    case 'withdraw':
    case 'withdraw-token':
    case 'fund-token':
      return { ...facts, ...(await readAgent(place, intent)) }
    case 'claim':
      return { ...facts, ...(await readRewards(place, claimed, wallet)) }
    case 'create-launch': {
      const { quoteMint = WRAPPED_NATIVE_MINT } = intent.launch
      const asset = intent.agent?.mint as Address | undefined
      return {
        ...facts,
        ...(asset && (await readAgent(place, { kind: 'withdraw', agent: asset }))),
        tokens: await readTokens(place, [quoteMint as Address]),
      }
    }
    case 'swap':
    case 'deposit':
    case 'withdraw-deposit':
    case 'claim-launch':
    case 'graduate':
      return { ...facts, ...(await readLaunch(place, intent, wallet)) }
    default:
      return facts
  }
}

const TOKEN_PROGRAMS: readonly string[] = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM]
/** Where a mint says how many decimals its amounts have. */
const DECIMALS_AT = 44

function toTokens(mints: readonly Address[], accounts: readonly (OwnedAccount | undefined)[]) {
  const tokens = new Map<string, KnownToken>()
  for (const [at, mint] of mints.entries()) {
    const { owner = '', data } = accounts[at] ?? {}
    const decimals = data?.[DECIMALS_AT]
    if (TOKEN_PROGRAMS.includes(owner) && decimals !== undefined)
      tokens.set(mint, { mint, program: owner as Address, decimals })
  }
  // Its mint is the same everywhere.
  return tokens.set(WRAPPED_NATIVE_MINT, NATIVE)
}
const NATIVE = { mint: WRAPPED_NATIVE_MINT, program: TOKEN_PROGRAM, decimals: 9 }

const readTokens = async ({ rpcUrl, signal }: Place, mints: readonly Address[]) => {
  const unknown = mints.filter(mint => mint !== WRAPPED_NATIVE_MINT)
  return toTokens(unknown, unknown.length > 0 ? await fetchOwned(rpcUrl, unknown, signal) : [])
}

const wrappedOf = (wallet: Address) => associatedTokenAddress(WRAPPED_NATIVE_MINT, wallet, TOKEN_PROGRAM)

const toTokenAccount = (account: OwnedAccount | undefined): TokenAccount | undefined =>
  account && TOKEN_PROGRAMS.includes(account.owner) ? decodeTokenAccountData(account.data) : undefined

function toRent(account: OwnedAccount | undefined): Rent {
  try {
    if (account?.owner === SYSVAR_OWNER) return decodeRent(account.data)
  } catch (cause) {
    throw new WrongAnswer('the RPC did not say what rent costs', { cause })
  }
  throw new WrongAnswer('the RPC did not say what rent costs')
}

interface AgentIntent {
  kind: string
  agent: Address
  /** The token that moves, if one does. */
  mint?: Address
}

async function readAgent({ rpcUrl, signal }: Place, intent: AgentIntent) {
  const { agent, mint, kind } = intent
  const mints = mint ? [mint] : []
  const [[asset, ...accounts], held] = await Promise.all([
    fetchOwned(rpcUrl, [agent, ...mints], signal),
    mint && kind === 'withdraw-token' ? readHeld(rpcUrl, { agent, mint }, signal) : [],
  ])
  const collection = asset?.owner === CORE_PROGRAM ? collectionIn(asset.data) : undefined
  return { tokens: toTokens(mints, accounts), agent: { collection, held } }
}

async function readHeld(
  rpcUrl: string,
  { agent, mint }: { agent: Address; mint: Address },
  signal: AbortSignal,
): Promise<HeldTokens[]> {
  const wallet = assetSignerAddress(agent)
  const listed = await fetchTokenAccounts(rpcUrl, wallet, mint, signal)
  return listed.flatMap(account => {
    const tokens = toTokenAccount(account)
    const { address, lamports } = account
    return tokens?.holder === wallet && tokens.mint === mint
      ? { ...tokens, address: address as Address, lamports }
      : []
  })
}

async function readRewards(place: Place, named: readonly Address[], wallet: Address) {
  const addresses = [
    RENT_SYSVAR,
    wrappedOf(wallet),
    ...named,
    ...named.map(bucket => poolStateAddress(bucket)),
  ]
  const [rent, wrapped, ...accounts] = await fetchOwned(place.rpcUrl, addresses, place.signal)
  const found = named.flatMap((address, at) => {
    const [bucket, pool] = [accounts[at], accounts[at + named.length]]
    const reward = bucket?.owner === GENESIS_PROGRAM ? decodeRewardData(bucket.data) : undefined
    const state = pool && decodePoolData(pool.data)
    const ammConfig = typeof state === 'object' ? state.ammConfig : undefined
    return typeof reward === 'object' ? [{ address, ammConfig, ...reward }] : []
  })
  // Old buckets don't name their mints. Their launch does.
  const launches = [...new Set(found.flatMap(({ baseMint, genesis }) => (baseMint ? [] : genesis)))]
  const read = launches.length > 0 ? await fetchAccounts(place.rpcUrl, launches, place.signal) : []
  const rewards = new Map<string, KnownReward>()
  for (const { address, kind, genesis, ammConfig, ...own } of found) {
    const data = read[launches.indexOf(genesis)]
    const launch = data && decodeGenesisData(data)
    const { baseMint, quoteMint } = typeof launch === 'object' ? launch : own
    if (baseMint && quoteMint) rewards.set(address, { kind, genesis, baseMint, quoteMint, ammConfig })
  }
  const mints = [...rewards.values()].flatMap(({ baseMint, quoteMint }) => [baseMint, quoteMint])
  return {
    rewards,
    tokens: await readTokens(place, [...new Set(mints)]),
    accountRent: toRent(rent)(TOKEN_ACCOUNT_BYTES),
    wrapped: toTokenAccount(wrapped),
  }
}

/** Where the chain's clock has its time, in Unix seconds. */
const TIME_AT = 32
const timeIn = ({ buffer, byteOffset }: Uint8Array): number =>
  Number(new DataView(buffer, byteOffset).getBigInt64(TIME_AT, true))

async function readLaunch(place: Place, intent: LaunchTokens<Address>, wallet: Address) {
  const { rpcUrl, signal } = place
  const { genesis, baseMint, quoteMint } = intent
  const addresses = [genesis, RENT_SYSVAR, CLOCK_SYSVAR, wrappedOf(wallet), baseMint, quoteMint]
  const [account, rent, clock, wrapped, ...mints] = await fetchOwned(rpcUrl, addresses, signal)
  const launch = account?.owner === GENESIS_PROGRAM ? decodeGenesisData(account.data) : undefined
  if (typeof launch !== 'object' || !clock) throw new WrongAnswer('the launch can’t be read')
  if (launch.baseMint !== baseMint || launch.quoteMint !== quoteMint)
    refuse(`On the chain, the launch ${genesis} has different tokens from those on this page.`)
  const accounts = await readPosition(place, { genesis, bucketCount: launch.bucketCount }, wallet)
  const graduated = accounts.buckets.find(bucket => becomesPool(bucket.kind) && showsGraduation(bucket))
  return {
    tokens: toTokens([baseMint, quoteMint], mints),
    accountRent: toRent(rent)(TOKEN_ACCOUNT_BYTES),
    wrapped: toTokenAccount(wrapped),
    launch: {
      accounts: { ...accounts, wallet, nowSeconds: timeIn(clock.data) },
      pool: graduated && (await fetchPool(place, intent, graduated.address)),
    },
  }
}

async function readPosition(
  { rpcUrl, signal }: Place,
  { genesis, bucketCount }: { genesis: Address; bucketCount: number },
  wallet: Address,
): Promise<Pick<PositionAccounts, 'buckets' | 'unlocked' | 'deposits'>> {
  const candidates = bucketCandidates(genesis, bucketCount)
  const others = bucketsOfKind(unlocked.name, genesis, bucketCount)
  const deposited = DEPOSIT_KINDS.flatMap(({ name, deposits: { layout } }) =>
    bucketsOfKind(name, genesis, bucketCount).map(bucket => ({
      ...{ bucket, layout },
      address: depositAddress(name, bucket, wallet),
    })),
  )
  const addresses = [...candidates, ...others, ...deposited.map(({ address }) => address)]
  const accounts = await fetchAccounts(rpcUrl, addresses, signal)
  const at = (index: number) => accounts[index] ?? new Uint8Array()
  const deposits = new Map<Address, Deposit>()
  for (const [index, { bucket, layout }] of deposited.entries()) {
    const data = accounts[candidates.length + others.length + index]
    if (data) deposits.set(bucket, decode(layout, data))
  }
  return {
    buckets: candidates.flatMap((address, index) => {
      const bucket = decodeBucketData(at(index))
      return typeof bucket === 'object' && bucket.genesis === genesis ? [{ ...bucket, address }] : []
    }),
    unlocked: others.flatMap((address, index) => {
      const data = at(candidates.length + index)
      return data[0] === unlocked.key
        ? [{ ...decode(unlocked.layout, data), kind: unlocked.name, address }]
        : []
    }),
    deposits,
  }
}
