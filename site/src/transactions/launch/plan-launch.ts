import type { Address } from '@slipway/client'
import { quoteSymbol, shorten } from '../../lib/format.ts'
import { agentWalletAddress, bucketAddress, genesisAddress } from '../addresses.ts'
import type { ExpectedAccount } from '../expect-instruction.ts'
import type { LaunchIntent } from '../intent.ts'
import { TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../programs.ts'
import { refuse } from '../unexpected.ts'
import type { ActionKind } from './decode-action.ts'
import { type Fields, percent, type Units } from './describe-fields.ts'
import { createExpectedAccounts } from './expected-accounts.ts'
import { createExpectedFields } from './expected-fields.ts'
import { type Outline, outlineLaunch, toUnits } from './outline.ts'

/** An instruction that the launch needs. */
export type PlannedAction = {
  /** Whether it must be in the same transaction as the action before it. */
  staysWithPrevious?: boolean
} & (
  | { kind: ActionKind; accounts: ExpectedAccount[]; fields: Fields }
  /** The token becomes the agent's own. */
  | { kind: 'agent token'; accounts: ExpectedAccount[] }
  | { kind: 'token account'; owner: Address; mint: Address; tokenProgram: Address }
  | { kind: 'wrap'; from: Address; to: Address; lamports: bigint }
  | { kind: 'count wrapped'; account: Address }
)

export interface LaunchPlan {
  actions: PlannedAction[]
  units: Units
  /** What to call addresses in sentences. */
  names: Map<Address, string>
  /** Shares of the proceeds, by bucket. */
  shares: Map<Address, string>
}

/** Every instruction that creates a launch, in order, from what the person entered. */
export async function planLaunch(
  intent: LaunchIntent,
  wallet: Address,
  quoteTokenProgram: Address,
): Promise<LaunchPlan> {
  const { launch, mint, agent } = intent
  const genesis = await genesisAddress(mint)
  if (genesis !== intent.genesisAccount)
    refuse(`The launch of the token ${mint} is at ${genesis}, not at ${intent.genesisAccount}.`)
  const authority = agent ? await agentWalletAddress(agent.mint) : wallet
  const quoteMint = launch.quoteMint ?? WRAPPED_SOL_MINT
  const units = unitsOf(intent, quoteMint)
  const outline = await outlineLaunch(launch, genesis)
  const accounts = createExpectedAccounts({ wallet, authority, genesis, mint, quoteMint, quoteTokenProgram })
  const parts: PlanParts = {
    outline,
    genesis,
    accounts,
    fields: createExpectedFields(launch, genesis, units),
  }
  const buckets = await listBuckets(outline, genesis)
  const actions: PlannedAction[] = [
    { kind: 'initialize', accounts: await accounts.initialize(), fields: parts.fields.initialize() },
    ...(await planPrimary(parts)),
    ...(await planParts(parts)),
    ...(await planPools(parts)),
  ]
  if (launch.finalize !== false) {
    actions.push({ kind: 'finalize', accounts: accounts.finalize(buckets), fields: {} })
    if (agent?.setToken)
      actions.push({ kind: 'agent token', accounts: await accounts.agentToken(agent.mint) })
    const tokens = { mint, quoteMint, quoteTokenProgram, decimals: units.quote }
    actions.push(...(await planFirstBuy(parts, tokens, { wallet, authority })))
  }
  return {
    actions,
    units,
    names: nameAddresses(outline, buckets, { wallet, authority, mint }),
    shares: new Map(
      outline.behaviours.flatMap(({ kind, bps, bucket }) =>
        kind === 'share' ? [[bucket, percent(BigInt(bps))]] : [],
      ),
    ),
  }
}

interface PlanParts {
  outline: Outline
  genesis: Address
  accounts: ReturnType<typeof createExpectedAccounts>
  fields: ReturnType<typeof createExpectedFields>
}

const DECIMALS = 6
const SOL_DECIMALS = 9

const unitsOf = ({ launch, quoteDecimals }: LaunchIntent, quoteMint: Address): Units => ({
  base: launch.decimals ?? DECIMALS,
  quote:
    quoteMint === WRAPPED_SOL_MINT
      ? SOL_DECIMALS
      : (quoteDecimals ?? refuse('The page doesn’t know the decimals of the token that is paid with.')),
  quoteSymbol: quoteSymbol(quoteMint),
})

/** In the order in which they are created. */
const listBuckets = ({ primary, parts, pools }: Outline, genesis: Address): Promise<Address[]> =>
  Promise.all([
    bucketAddress(primary.type, genesis, 0),
    ...parts.map((_, index) => bucketAddress('unlockedV2', genesis, index)),
    ...pools.map((_, index) => bucketAddress('raydiumV2', genesis, index)),
  ])

const nameOfPrimary = ({ primary }: Outline) =>
  primary.type === 'bondingCurveV2' ? ('bonding curve' as const) : ('launch pool' as const)

function nameAddresses(
  outline: Outline,
  buckets: readonly Address[],
  { wallet, authority, mint }: { wallet: Address; authority: Address; mint: Address },
): Map<Address, string> {
  const names = new Map([
    [mint, 'the new token'],
    [authority, 'the agent’s wallet'],
    [wallet, 'your wallet'],
  ])
  const recipients = outline.parts.map(({ recipient }) => names.get(recipient) ?? shorten(recipient))
  const all = [
    `the ${nameOfPrimary(outline)}`,
    ...recipients,
    ...outline.pools.map(() => 'the liquidity pool'),
  ]
  for (const [index, bucket] of buckets.entries()) names.set(bucket, all[index] as string)
  return names
}

async function planPrimary({ outline, genesis, accounts, fields }: PlanParts): Promise<PlannedAction[]> {
  const { primary } = outline
  const name = nameOfPrimary(outline)
  const bucket = await bucketAddress(primary.type, genesis, 0)
  const extensions = await fields.primaryExtensions(primary)
  const actions: PlannedAction[] = [
    { kind: name, accounts: await accounts.primary(bucket), fields: await fields.primary(primary) },
  ]
  if (Object.keys(extensions).length > 0)
    actions.push({
      kind: `${name} extensions`,
      accounts:
        primary.type === 'bondingCurveV2'
          ? accounts.curveExtensions(bucket, firstBuyOf(primary)?.buyer)
          : accounts.changedBucket(bucket),
      fields: extensions,
      // Anyone can trade on a curve as soon as it exists. Its extensions reserve the first buy and the creator's fee.
      staysWithPrevious: primary.type === 'bondingCurveV2',
    })
  actions.push({ kind: 'proceeds', accounts: accounts.proceeds(bucket), fields: fields.proceeds(outline) })
  return actions
}

const firstBuyOf = (primary: Outline['primary']) =>
  primary.type === 'bondingCurveV2' && primary.bondingCurveV2.firstBuy?.enabled
    ? primary.bondingCurveV2.firstBuy
    : undefined

const planParts = ({ outline, genesis, accounts, fields }: PlanParts): Promise<PlannedAction[]> =>
  Promise.all(
    outline.parts.map(
      async (part, index): Promise<PlannedAction> => ({
        kind: `part ${index}`,
        accounts: await accounts.part(await bucketAddress('unlockedV2', genesis, index), part.recipient),
        fields: await fields.part(part),
      }),
    ),
  )

async function planPools({ outline, genesis, accounts, fields }: PlanParts): Promise<PlannedAction[]> {
  const actions: PlannedAction[] = []
  for (const [index, pool] of outline.pools.entries()) {
    const bucket = await bucketAddress('raydiumV2', genesis, index)
    const extensions = await fields.poolExtensions(pool)
    actions.push({
      kind: `liquidity pool ${index}`,
      accounts: await accounts.pool(bucket),
      fields: await fields.pool(pool),
    })
    if (Object.keys(extensions).length > 0)
      actions.push({
        kind: 'liquidity pool extensions',
        accounts: accounts.changedBucket(bucket),
        fields: extensions,
      })
  }
  return actions
}

/** Opens the buyer's accounts and wraps the SOL that the first buy costs. Other tokens the buyer must already hold. */
async function planFirstBuy(
  { outline, genesis, accounts, fields }: PlanParts,
  {
    mint,
    quoteMint,
    quoteTokenProgram,
    decimals,
  }: { mint: Address; quoteMint: Address; quoteTokenProgram: Address; decimals: number },
  { wallet, authority }: { wallet: Address; authority: Address },
): Promise<PlannedAction[]> {
  const { primary } = outline
  const firstBuy = firstBuyOf(primary)
  if (!firstBuy || primary.type !== 'bondingCurveV2') return []
  const { buyer, amount } = firstBuy
  const curve = await bucketAddress(primary.type, genesis, 0)
  const wrapped = await accounts.quoteTokens(buyer)
  const from = buyer === authority ? wallet : buyer
  const wrap: PlannedAction[] = [
    { kind: 'wrap', from, to: wrapped, lamports: toUnits(amount, decimals), staysWithPrevious: true },
    { kind: 'count wrapped', account: wrapped, staysWithPrevious: true },
  ]
  return [
    { kind: 'token account', owner: buyer, mint: quoteMint, tokenProgram: quoteTokenProgram },
    { kind: 'token account', owner: buyer, mint, tokenProgram: TOKEN_PROGRAM, staysWithPrevious: true },
    ...(quoteMint === WRAPPED_SOL_MINT ? wrap : []),
    {
      kind: 'first buy',
      accounts: await accounts.firstBuy(curve, buyer),
      fields: fields.firstBuy(primary, amount),
      staysWithPrevious: true,
    },
  ]
}
