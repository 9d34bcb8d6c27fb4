import {
  type Agent,
  type AgentDelegates,
  type AgentPage,
  type AgentRecord,
  type AgentWallet,
  type CreatorRewards,
  type LaunchActivity,
  type LaunchActivityValues,
  type LaunchData,
  type LaunchDetail,
  type LaunchFigures,
  type LaunchPage,
  type LaunchPosition,
  type RewardBucket,
  type RewardTotals,
  SlipwayError,
  type TradeQuote,
} from '@slipway/client'
import { toRow } from './launch-rows.ts'
import { isObject, parseList, parseText } from './parse-json.ts'

/**
 * Answers with every field that pages read. A service of another version may leave fields out or send other values.
 * Text and times are then empty, and everything else counts as unknown. Pages show both as missing.
 */

type Json = Record<string, unknown>

export const objectOf = (value: unknown): Json => (isObject(value) ? value : {})
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
export const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)
export const numberOrNull = (value: unknown): number | null => (typeof value === 'number' ? value : null)
/** One byte on the chain. */
const decimalsOrNull = (value: unknown): number | null =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) < 256 ? (value as number) : null
export const unitsOf = (value: unknown): string => (isUnits(value) ? value : '')
const isUnits = (value: unknown): value is string => typeof value === 'string' && /^\d+$/.test(value)

export const fitTexts = (value: unknown, names: readonly string[]): Json => {
  const given = objectOf(value)
  return { ...given, ...Object.fromEntries(names.map(name => [name, textOf(given[name])])) }
}

const TOKEN = ['address', 'name', 'symbol', 'image', 'description']
const LAUNCH = ['mechanic', 'launchPage', 'startTime', 'endTime', 'lastActivityAt']

/** Undefined without an address: there is nothing to show then, and nowhere to go. */
export function findLaunch(value: unknown): LaunchData | undefined {
  const { launch, baseToken, website, socials, ...rest } = objectOf(value)
  const { graduatedAt, heroUrl, ...known } = fitTexts(launch, LAUNCH)
  if (!parseText(known.genesisAddress)) return undefined
  return {
    ...rest,
    launch: { ...known, graduatedAt: textOrNull(graduatedAt), heroUrl: textOrNull(heroUrl) },
    baseToken: fitTexts(baseToken, TOKEN),
    website: textOf(website),
    socials: fitTexts(socials, Object.keys(objectOf(socials))),
  } as unknown as LaunchData
}

export function fitLaunchPage(value: unknown): LaunchPage {
  const { launches: list, next, total, counts, figures } = objectOf(value)
  const launches = listOf(list)
    .flatMap(one => findLaunch(one) ?? [])
    .map(toRow)
  return {
    launches,
    next: parseText(next) ?? null,
    total: numberOrNull(total) ?? launches.length,
    ...(isCounts(counts) && { counts: { ...counts, closed: numberOrNull(counts.closed) ?? 0 } }),
    figures: parseList(figures).map(fitFigures),
  }
}

const isCounts = (value: unknown): value is NonNullable<LaunchPage['counts']> =>
  isObject(value) && ['upcoming', 'live', 'graduated'].every(status => typeof value[status] === 'number')

/** People sign transactions about the launch in the answer, so it must be the requested one. */
export function fitLaunch(value: unknown, asked: string): LaunchDetail {
  const launch = findLaunch(value) ?? fail()
  if (launch.launch.genesisAddress !== asked) fail()
  const { verifiedSocials, agent, existingToken, ...rest } = launch as LaunchDetail
  const address = parseText(agent)
  return {
    ...rest,
    verifiedSocials: parseList(verifiedSocials) as LaunchDetail['verifiedSocials'],
    ...(address !== undefined && { agent: address }),
    ...(existingToken === true && { existingToken }),
  }
}

function fitFigures(value: unknown): LaunchFigures {
  const figures = objectOf(value)
  return {
    genesisAddress: textOf(figures.genesisAddress),
    quoteMint: parseText(figures.quoteMint) ?? null,
    quoteDecimals: decimalsOrNull(figures.quoteDecimals),
    baseDecimals: decimalsOrNull(figures.baseDecimals),
    goal: unitsOf(figures.goal) || null,
    current: findValues(figures.current) ?? null,
  }
}

export function fitActivity(value: unknown): LaunchActivity {
  const activity = objectOf(value)
  return {
    ...fitFigures(activity),
    creatorWallets: parseList(activity.creatorWallets).flatMap(wallet => parseText(wallet) ?? []),
    endedAt: textOrNull(activity.endedAt),
    points: parseList(activity.points).flatMap(point => {
      const values = findValues(point)
      const time = textOf(objectOf(point).time)
      return values && !Number.isNaN(Date.parse(time)) ? { ...values, time } : []
    }),
  }
}

function findValues(value: unknown): LaunchActivityValues | undefined {
  const { raised, sold, supply, price, progress, participants, creatorFees } = objectOf(value)
  if (!isUnits(raised) || !isUnits(sold) || !isUnits(supply)) return undefined
  return {
    ...{ raised, sold, supply },
    price: textOrNull(price),
    progress: numberOrNull(progress),
    participants: numberOrNull(participants),
    creatorFees: isUnits(creatorFees) ? creatorFees : null,
  }
}

/** People fund the agent in the answer, so it must be the requested one. */
export function fitAgent(value: unknown, asked: string): Agent {
  const agent = fitTexts(value, ['name', 'description', 'walletAddress', 'owner'])
  if (agent.address !== asked) fail()
  const { image, authority, agentMetadataUri, agentToken, agentTokenInfo, ...rest } = agent
  const texts = Object.entries({ image, authority, agentMetadataUri, agentToken }).filter(([, text]) =>
    parseText(text),
  )
  return {
    ...rest,
    ...Object.fromEntries(texts),
    ...(isObject(agentTokenInfo) && { agentTokenInfo: fitTexts(agentTokenInfo, TOKEN) }),
    a2aCard: isObject(agent.a2aCard) ? agent.a2aCard : null,
    verifiedAt: textOrNull(agent.verifiedAt),
    tokens: parseList(agent.tokens).flatMap(token =>
      parseText(objectOf(token).address) ? fitTexts(token, TOKEN) : [],
    ),
  } as unknown as Agent
}

export function fitAgentPage(value: unknown): AgentPage {
  const { agents: list, total, ...rest } = objectOf(value)
  const agents = listOf(list).flatMap(one => {
    const agent = fitTexts(one, ['name', 'description', 'createdAt', 'walletAddress'])
    if (!parseText(agent.mintAddress)) return []
    return {
      ...agent,
      image: textOrNull(agent.image),
      isActive: agent.isActive !== false,
      delegates: numberOrNull(agent.delegates) ?? 0,
      agentToken: textOrNull(agent.agentToken),
      verifiedAt: textOrNull(agent.verifiedAt),
      spotlightedAt: textOrNull(agent.spotlightedAt),
      metadata: isObject(agent.metadata) ? agent.metadata : null,
      a2aCard: isObject(agent.a2aCard) ? agent.a2aCard : null,
    } as unknown as AgentRecord
  })
  const totalPages = numberOrNull(rest.totalPages) ?? 1
  return { ...rest, agents, total: numberOrNull(total) ?? agents.length, totalPages } as AgentPage
}

const REWARDS = ['accrued', 'claimed', 'uncollected', 'claimable']

/** People claim for the wallet in the answer, so it must be the requested one. */
export function fitRewards(value: unknown, asked: string): CreatorRewards {
  const rewards = objectOf(value)
  if (rewards.wallet !== asked) fail()
  return {
    wallet: asked,
    buckets: listOf(rewards.buckets).flatMap(bucket =>
      parseText(objectOf(bucket).address)
        ? (fitAmounts(fitTexts(bucket, ['kind', 'genesisAddress', 'quoteMint'])) as RewardBucket)
        : [],
    ),
    totals: parseList(rewards.totals)
      .filter(isObject)
      .map(total => fitAmounts(fitTexts(total, ['quoteMint'])) as unknown as RewardTotals),
  }
}

const fitAmounts = (value: Json): unknown => ({
  ...value,
  ...Object.fromEntries(REWARDS.map(name => [name, unitsOf(value[name])])),
})

/** Without its list, an answer says nothing: an empty page would be a false statement. */
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : fail())

export function fail(): never {
  throw new SlipwayError('The service sent an incomplete answer', { code: 'UNKNOWN_RESPONSE', status: 502 })
}

/** Leaves out a token without mint, amount or decimals, because its value can't be shown. */
export function fitWallet(value: AgentWallet): AgentWallet {
  const given = objectOf(value)
  return {
    address: textOf(given.address),
    lamports: unitsOf(given.lamports),
    tokens: parseList(given.tokens).flatMap(each => {
      const token = fitTexts(each, ['mint', 'symbol', 'name'])
      if (token.mint === '' || !isUnits(token.amount) || numberOrNull(token.decimals) === null) return []
      const restriction = textOrNull(token.restriction)
      return [{ ...token, known: token.known === true, restriction } as AgentWallet['tokens'][number]]
    }),
    truncated: given.truncated === true,
    slot: numberOrNull(given.slot) ?? 0,
  }
}

export function fitDelegates(value: AgentDelegates): AgentDelegates {
  const given = objectOf(value)
  const delegates = parseList(given.delegates).flatMap(each => {
    const one = fitTexts(each, ['record', 'executive', 'wallet'])
    if (one.record === '' || one.wallet === '') return []
    const since = textOrNull(one.since)
    return [
      { ...one, since, byFormerOwner: one.byFormerOwner === true } as AgentDelegates['delegates'][number],
    ]
  })
  return { delegates, total: numberOrNull(given.total) ?? delegates.length }
}

const QUOTED = ['amountIn', 'amountOut', 'minAmountOut']

/** An impact that the service leaves out is not known. */
export type FittedQuote = Omit<TradeQuote, 'priceImpactBps'> & { priceImpactBps: number | null }

/** Throws if amounts are missing, or if the quote doesn't match the order: people sign its minimum. */
export function fitQuote(
  value: TradeQuote,
  { side, amount, slippageBps }: { side: string; amount: string; slippageBps: number },
): FittedQuote {
  const quote = fitTexts(value, ['quoteMint', 'price', 'priceAfter'])
  if (QUOTED.some(name => !isUnits(quote[name]))) fail()
  const [paid, received, least] = QUOTED.map(name => BigInt(quote[name] as string)) as [
    bigint,
    bigint,
    bigint,
  ]
  const isTooLow = least < (received * BigInt(10_000 - slippageBps)) / 10_000n
  if (quote.side !== side || paid > BigInt(amount) || isTooLow) fail()
  const { protocol, creator, pool } = objectOf(quote.fees)
  return {
    ...(quote as unknown as TradeQuote),
    fees: { protocol: unitsOf(protocol), creator: unitsOf(creator), pool: unitsOf(pool) },
    priceImpactBps: numberOrNull(quote.priceImpactBps),
    partial: quote.partial === true,
  }
}

const HELD = ['deposited', 'entitled', 'claimable', 'claimed', 'refundable', 'proceeds', 'balance']

export function fitPosition(value: LaunchPosition): LaunchPosition {
  const position = fitTexts(value, ['wallet', 'quoteMint'])
  const { quoteDecimals, baseDecimals, slot, unreadParts } = position
  if (decimalsOrNull(quoteDecimals) === null || decimalsOrNull(baseDecimals) === null) fail()
  return {
    ...(position as unknown as LaunchPosition),
    ...Object.fromEntries(HELD.map(name => [name, unitsOf(position[name]) || '0'])),
    share: numberOrNull(position.share) ?? 0,
    nextClaim: textOrNull(position.nextClaim),
    slot: numberOrNull(slot) ?? 0,
    unreadParts: numberOrNull(unreadParts) ?? 0,
    actions: parseList(position.actions).flatMap(one => {
      const { action, available, reason } = objectOf(one)
      return parseText(action)
        ? [
            {
              action,
              available: available === true,
              reason: textOrNull(reason),
            } as LaunchPosition['actions'][number],
          ]
        : []
    }),
  }
}
