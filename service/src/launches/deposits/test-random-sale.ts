import { assetSignerAddress } from '@slipway/launch-model/addresses'
import type { Keypair } from '@slipway/local-chain/ledger/keypair'
import type { Address } from '@slipway/schema/address'
import { ServiceError } from '@slipway/schema/errors'
import { expect } from 'vitest'
import { SOL, type TestSale, TIMES } from './test-sale.ts'

interface Actor {
  who: { wallet: Address; payer?: Address; agent?: Address }
  /** Whose deposit it is, and who pays. */
  owner: Address
  payer: Address
  signers: Keypair[]
}

/** Wallets on their own, with a sponsor, and through an agent, some with a wrapped account. */
async function makeActors(sale: TestSale): Promise<Actor[]> {
  const [alone, sponsored, holder, owner, collector] = Array.from({ length: 5 }, () =>
    sale.wallet(500n * SOL),
  ) as [Keypair, Keypair, Keypair, Keypair, Keypair]
  const sponsor = sale.wallet()
  sale.hold(holder.address, 7n * SOL)
  const agents = [
    { key: owner, agent: (await sale.makeAgent(owner.address, { lamports: 500n * SOL })).address },
    {
      key: collector,
      agent: (await sale.makeAgent(collector.address, { lamports: 500n * SOL, inCollection: true })).address,
    },
  ]
  return [
    ...[alone, holder].map(key => ({
      who: { wallet: key.address },
      owner: key.address,
      payer: key.address,
      signers: [key],
    })),
    {
      who: { wallet: sponsored.address, payer: sponsor.address },
      owner: sponsored.address,
      payer: sponsor.address,
      signers: [sponsor, sponsored],
    },
    ...agents.map(({ key, agent }) => ({
      who: { wallet: key.address, agent },
      owner: assetSignerAddress(agent),
      payer: key.address,
      signers: [key],
    })),
  ]
}

/** A seeded random number generator. */
function createRandom(seed: number) {
  let state = seed
  const next = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
  return {
    below: (count: number) => Math.floor(next() * count),
    pick: <T>(list: readonly T[]) => list[Math.floor(next() * list.length)] as T,
  }
}

/**
 * Random deposits, withdrawals and claims from before the start to after the end. A built transaction must do what
 * the answer says, and the program must refuse what the service refuses. Returns how often each happened.
 */
export async function runRandomSale(sale: TestSale, seed: number, rounds: number) {
  const random = createRandom(seed)
  const actors = await makeActors(sale)
  const counts: Record<string, number> = {}
  const most: Record<string, number> = {}
  let time = TIMES.start - 50
  const step = Math.ceil((TIMES.end + 400 - time) / rounds)
  for (let round = 0; round < rounds; round++) {
    time += random.below(2 * step)
    sale.advanceTo(time)
    const actor = random.pick(actors)
    const action = random.pick(['deposit', 'deposit', 'withdraw', 'claim'] as const)
    const amount =
      random.pick([1n, 49n, 1_000n, SOL / 10n, SOL, 3n * SOL, 11n * SOL]) + BigInt(random.below(1_000))
    const unwrap = random.below(2) === 0
    const label = `seed ${seed}, round ${round}, ${action} ${amount}`
    try {
      const { units, by } = await act(sale, actor, { action, amount, unwrap, label })
      most[by] = Math.max(most[by] ?? 0, units)
      counts[action] = (counts[action] ?? 0) + 1
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      counts[error.code] = (counts[error.code] ?? 0) + 1
      await expectRefused(sale, actor, { action, amount, label: `${label}: ${error.code}` })
    }
  }
  return { counts, most, actors }
}

interface Move {
  action: 'deposit' | 'withdraw' | 'claim'
  amount: bigint
  unwrap: boolean
  label: string
}

async function act(sale: TestSale, actor: Actor, { action, amount, unwrap, label }: Move) {
  const { who, owner, payer, signers } = actor
  const wrapped = sale.tokens(owner)
  const before = {
    bucket: sale.bucketTokens(),
    fees: sale.feeTokens(),
    owner: sale.lamports(owner),
    payer: sale.lamports(payer),
    tokens: sale.tokens(owner, sale.mint) ?? 0n,
  }
  const by = (name: string) => `${name} ${who.agent ? 'agent' : 'wallet'}`
  const land = (tx: string, ...keys: Keypair[]) => {
    const landed = sale.land(tx, ...keys)
    expect([label, landed.err, landed.err && landed.logs]).toEqual([label, null, null])
    expect(landed.bytes).toBeLessThanOrEqual(1_132)
    return landed.units
  }
  if (action === 'deposit') {
    const built = await sale.deposit(who, amount)
    const units = land(built.tx, ...signers)
    const [paid, fee, credited] = [built.cost.paid, built.cost.fee, built.cost.credited].map(BigInt) as [
      bigint,
      bigint,
      bigint,
    ]
    const penalty = BigInt(built.cost.penalty)
    expect([label, sale.bucketTokens() - before.bucket]).toEqual([label, credited])
    expect([label, sale.feeTokens() - before.fees]).toEqual([label, fee + penalty])
    expect(sale.tokens(owner)).toBe(wrapped)
    if (owner !== payer) expect([label, before.owner - sale.lamports(owner)]).toEqual([label, paid])
    expect(later(await sale.position(owner))).toEqual(later(built.position))
    return { units, by: by('deposit') }
  }
  if (action === 'withdraw') {
    const built = await sale.withdraw(who, amount % 2n === 0n ? 'all' : amount)
    const units = land(built.tx, ...signers)
    const receives = BigInt(built.receives)
    expect(sale.tokens(owner)).toBe(wrapped)
    if (owner !== payer) expect([label, sale.lamports(owner) - before.owner]).toEqual([label, receives])
    expect(later(await sale.position(owner))).toEqual(later(built.position))
    return { units, by: by('withdraw') }
  }
  const built = await sale.claim(who, unwrap)
  let units = 0
  for (const tx of built.transactions) {
    // Only the payer signs, unless a refund is unwrapped.
    const isRefund = built.receives.quote !== '0'
    units = Math.max(units, land(tx, ...(unwrap && isRefund ? signers : signers.slice(0, 1))))
  }
  const quote = BigInt(built.receives.quote)
  expect((sale.tokens(owner, sale.mint) ?? 0n) - before.tokens).toBe(BigInt(built.receives.tokens))
  if (!unwrap && quote > 0n) expect((sale.tokens(owner) ?? 0n) - (wrapped ?? 0n)).toBe(quote)
  if (unwrap && quote > 0n) expect(sale.tokens(owner)).toBe(wrapped)
  if (unwrap && owner !== payer) expect(sale.lamports(owner) - before.owner).toBe(quote)
  return { units, by: by(quote > 0n ? 'refund' : 'claim') }
}

/** Time and slots pass between a prediction and the chain's answer. */
const later = ({
  slot: _,
  actions: __,
  nextClaim: ___,
  balance: ____,
  ...position
}: Record<string, unknown>) => position

async function expectRefused(
  sale: TestSale,
  { who, signers, owner, payer }: Actor,
  { action, amount, label }: Omit<Move, 'unwrap'>,
) {
  const forced =
    action === 'deposit'
      ? [await sale.forceDeposit(who, amount)]
      : action === 'withdraw'
        ? sale.kind === 'presaleV2'
          ? []
          : [await sale.forceWithdrawal(who, amount)]
        : [
            await sale.forceClaim(who, 'claim'),
            ...(sale.kind === 'presaleV2' ? [] : [await sale.forceClaim(who, 'refund')]),
          ]
  const holdings = () =>
    `${sale.tokens(owner, sale.mint) ?? 0n} ${sale.tokens(owner) ?? 0n} ${owner === payer ? '' : sale.lamports(owner)}`
  for (const transactions of forced) {
    const before = holdings()
    const results = transactions.map(tx =>
      sale.land(tx, ...signers.slice(0, action === 'claim' ? 1 : undefined)),
    )
    // With a schedule, a claim that pays nothing succeeds.
    const hasFailed = results.some(({ err }) => err !== null)
    expect([label, holdings()]).toEqual([label, before])
    if (action !== 'claim') expect([label, hasFailed]).toEqual([label, true])
  }
}

/**
 * Claims for everyone until nothing is owed, at ever later times. Returns the tokens and deposits that the launch has
 * left, and the number of claims paid.
 */
export async function settle(sale: TestSale, actors: readonly Actor[], days = [0, 1, 400, 401, 900, 901]) {
  const recipient: Actor = {
    who: { wallet: sale.recipient.address },
    owner: sale.recipient.address,
    payer: sale.recipient.address,
    signers: [sale.recipient],
  }
  const all = [...actors, recipient]
  let paid = 0
  for (const day of days) {
    sale.advanceTo(TIMES.end + 500 + day * DAY)
    for (const { who, owner, signers } of all) {
      const before = sale.tokens(owner, sale.mint) ?? 0n
      try {
        const built = await sale.claim(who)
        for (const tx of built.transactions)
          expect(sale.land(tx, signers[0] as Keypair)).toMatchObject({ err: null })
        expect((sale.tokens(owner, sale.mint) ?? 0n) - before).toBe(BigInt(built.receives.tokens))
        paid += 1
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error
        expect(error.code).toBe('NOTHING_TO_CLAIM')
      }
    }
  }
  const positions = await Promise.all(all.map(({ owner }) => sale.position(owner)))
  const deposited = positions.reduce((sum, position) => sum + BigInt(position.deposited), 0n)
  return { paid, deposited, holders: all.length, tokens: sale.launchTokens(), quote: sale.bucketTokens() }
}
const DAY = 86_400
