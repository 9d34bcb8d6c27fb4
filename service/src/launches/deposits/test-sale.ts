import {
  type ConditionArgs,
  createNeverCondition,
  type LaunchPoolV2ExtensionArgs,
  type PresaleV2ExtensionArgs,
} from '@metaplex-foundation/genesis'
import { mplToolbox } from '@metaplex-foundation/mpl-toolbox'
import { type PublicKey, signerIdentity, type TransactionBuilder } from '@metaplex-foundation/umi'
import { createUmi } from '@metaplex-foundation/umi-bundle-defaults'
import { associatedTokenAddress, depositAddress } from '@slipway/launch-model/addresses'
import { planDeposit, planOwed, planWithdrawal, type StepGroup } from '@slipway/launch-model/plan-deposit'
import { GENESIS_FEE_WALLET, TOKEN_PROGRAM, WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import { decodeTokenAccount } from '@slipway/local-chain/ledger/token-balances'
import { launchBuilders, sendQuote, timeAt } from '@slipway/local-chain/testing/launches'
import { asAddress, send, signer } from '@slipway/local-chain/testing/umi-wallet'
import type { Address } from '@slipway/schema/address'
import { packGroups } from '../../chain/transactions/pack-groups.ts'
import { SOL, startTestMarket } from '../trading/test-market.ts'
import type { fundsOf, TraderRequest } from '../trading/trader.ts'
import { buildPosition } from './build-position.ts'
import { openBuilder } from './builder.ts'
import { buildLaunchClaim } from './claim.ts'
import { buildDeposit } from './deposit.ts'
import { positionAccounts, toPosition } from './resolve-position.ts'
import { buildWithdrawal } from './withdraw.ts'

export { refusalOf, SOL } from '../trading/test-market.ts'

/** Unix seconds at which the chain begins, and at which deposits do. */
export const BEGINNING = 1_000_000_000
export const TIMES = { start: BEGINNING + 100, end: BEGINNING + 1_100 }

export type SaleKind = 'launchpoolV2' | 'presaleV2'
interface SaleOptions {
  kind?: SaleKind
  extensions?: (LaunchPoolV2ExtensionArgs | PresaleV2ExtensionArgs)[]
  /** Replaces arguments of the sale, such as its conditions. */
  sale?: (launch: ReturnType<typeof launchBuilders>) => Record<string, unknown>
  unlockedStart?: ConditionArgs
  programs?: ReadonlyMap<Address, Uint8Array>
}

/** A chain with a launch pool or a presale created by the official builders, and the service's calls on it. */
export async function startSale({
  kind = 'launchpoolV2',
  extensions = [],
  sale = () => ({}),
  unlockedStart = timeAt(TIMES.end + 1),
  programs = new Map(),
}: SaleOptions = {}) {
  const market = startTestMarket({ programs: new Map(programs) })
  const { chain, parts } = market
  const umi = createUmi('http://127.0.0.1:1').use(mplToolbox())
  umi.use(signerIdentity(signer(umi)))
  chain.mint(asAddress(umi.payer.publicKey), 100n * SOL)
  const launch = launchBuilders(umi, signer(umi))
  const recipient = market.wallet()
  const run = async (builder: TransactionBuilder) => {
    const { err, logs } = await send({ chain }, umi, builder)
    market.advance(1)
    if (err !== null) throw new Error(`${JSON.stringify(err)}\n${logs.join('\n')}`)
  }
  const isPool = kind === 'launchpoolV2'
  const [add, extend, setBehaviors, bucketKey] = isPool
    ? ([launch.addPool, launch.extendPool, launch.setPoolBehaviors, launch.pool] as const)
    : ([launch.addPresale, launch.extendPresale, launch.setPresaleBehaviors, launch.presale] as const)
  await run(launch.initialize())
  await run(add(TIMES, sale(launch)))
  for (const extension of extensions) await run(extend(extension as never))
  await run(
    launch.addUnlocked(recipient.address as string as PublicKey, {
      claimStartCondition: unlockedStart,
      claimEndCondition: createNeverCondition(),
    }),
  )
  await run(setBehaviors(sendQuote(launch.unlocked, 10_000)))
  await run(launch.finalize(bucketKey, launch.unlocked))

  const [genesis, bucket, mint] = [launch.genesisAccount, bucketKey, launch.mint].map(asAddress) as [
    Address,
    Address,
    Address,
  ]
  type Who = Omit<TraderRequest, 'genesis' | 'priorityFee'>
  const request = (who: Who) => ({ genesis, priorityFee: 0n, ...who })
  const named = { kind, address: bucket }

  /** The transaction that the service would build if it refused nothing. */
  async function force(who: Who, plan: (funds: ReturnType<typeof fundsOf>) => StepGroup[]) {
    const { funds, recent } = await openBuilder(parts, request(who), ['force'])
    return packGroups(plan(funds), funds, recent.blockhash).map(({ tx }) => tx)
  }

  return {
    ...market,
    umi,
    launch,
    run,
    kind,
    genesis,
    bucket,
    mint,
    unlocked: asAddress(launch.unlocked),
    recipient,
    feeTokens: () => market.tokens(GENESIS_FEE_WALLET) ?? 0n,
    bucketTokens: () => market.tokens(bucket) ?? 0n,
    /** The launch's remaining balance of its own token. */
    launchTokens: () =>
      decodeTokenAccount(chain.account(associatedTokenAddress(mint, genesis, TOKEN_PROGRAM)))?.amount ?? 0n,
    hasDeposit: (owner: Address) => chain.account(depositAddress(kind, bucket, owner)) !== undefined,
    deposit: (who: Who, amount: bigint, more: { maxCost?: bigint } = {}) =>
      buildDeposit(parts, { ...request(who), amount, ...more }),
    withdraw: (who: Who, amount: bigint | 'all') => buildWithdrawal(parts, { ...request(who), amount }),
    claim: (who: Who, unwrap = false) => buildLaunchClaim(parts, { ...request(who), unwrap }),
    async position(wallet: Address) {
      const reading = await parts.markets.read(genesis, positionAccounts(wallet))
      return buildPosition(toPosition(reading, wallet))
    },
    forceDeposit: (who: Who, amount: bigint) =>
      force(who, funds => [planDeposit(funds, named, { amount, wraps: 2n * amount })]),
    forceWithdrawal: (who: Who, amount: bigint) =>
      force(who, funds => [planWithdrawal(funds, named, amount)]),
    forceClaim: (who: Who, claims: 'claim' | 'refund') =>
      force(who, funds =>
        planOwed(
          funds,
          { kind: claims, bucket: named, tokens: 0n, quote: 0n, triggers: [] },
          {
            unwraps: false,
            hasFeeAccount:
              chain.account(associatedTokenAddress(mint, GENESIS_FEE_WALLET, TOKEN_PROGRAM)) !== undefined,
          },
        ),
      ),
    wrapped: WRAPPED_NATIVE_MINT,
  }
}
export type TestSale = Awaited<ReturnType<typeof startSale>>
