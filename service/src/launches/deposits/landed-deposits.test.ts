import { poolStateAddress } from '@slipway/launch-model/addresses'
import { readPrograms, testRealPrograms } from '@slipway/local-chain/testing/real-programs'
import type { Address } from '@slipway/schema/address'
import { expect, test } from 'vitest'
import { tradesOnChain } from '../../testing/landed-trades.ts'
import { type SaleKind, SOL, startSale, type TestSale, TIMES } from './test-sale.ts'
import { goal } from './test-sale-cases.ts'

const NEEDED = { programs: ['Genesis' as const, 'Token Metadata' as const, 'MPL Core' as const] }

const tradesOf = ({ chain, genesis, mint, bucket }: TestSale) =>
  tradesOnChain(chain, { genesis, baseMint: mint, bucket: poolStateAddress(bucket) })

/** Deposits by a wallet and by an agent, and what follows. */
async function takePart(kind: SaleKind, programs: ReadonlyMap<Address, Uint8Array>) {
  const sale = await startSale({ kind, programs })
  const [wallet, payer] = [sale.wallet(), sale.wallet()]
  const agent = await sale.makeAgent(wallet.address)
  const expected: object[] = []
  sale.advanceTo(TIMES.start)
  for (const who of [{ wallet: wallet.address }, { wallet: wallet.address, agent: agent.address }]) {
    const { tx, cost } = await sale.deposit(who, SOL)
    expect(sale.land(tx, wallet)).toMatchObject({ err: null })
    expected.push({
      kind: 'deposit',
      wallet: 'agent' in who ? agent.wallet : wallet.address,
      agent: who.agent ?? null,
      baseAmount: 0n,
      quoteAmount: BigInt(cost.paid),
      protocolFee: BigInt(cost.fee),
    })
  }
  if (kind === 'launchpoolV2') {
    const { tx, receives } = await sale.withdraw({ wallet: wallet.address }, SOL / 4n)
    expect(sale.land(tx, wallet)).toMatchObject({ err: null })
    const quoteAmount = BigInt(receives)
    expected.push({
      kind: 'withdraw',
      wallet: wallet.address,
      quoteAmount,
      protocolFee: SOL / 4n - quoteAmount,
    })
  }
  sale.advanceTo(TIMES.end + 2)
  for (const owner of [wallet.address, agent.wallet]) {
    const { transactions } = await sale.claim({ wallet: owner, payer: payer.address })
    for (const tx of transactions) expect(sale.land(tx, payer)).toMatchObject({ err: null })
    expected.push({
      kind: 'claim',
      wallet: owner,
      agent: null,
      baseAmount: sale.tokens(owner, sale.mint),
      quoteAmount: 0n,
    })
  }
  expect(tradesOf(sale)).toMatchObject(expected)
}

for (const kind of ['launchpoolV2', 'presaleV2'] as const) {
  const name = `deposits, withdrawals and claims in a ${kind} are read from their transactions`
  test(name, () => takePart(kind, new Map()))
  testRealPrograms(
    `${name} of the real programs`,
    () => takePart(kind, readPrograms(...NEEDED.programs)),
    NEEDED,
  )
}

async function refund(programs: ReadonlyMap<Address, Uint8Array>) {
  const sale = await startSale({
    programs,
    extensions: [goal(10n * SOL)],
  })
  const [wallet, payer] = [sale.wallet(), sale.wallet()]
  sale.advanceTo(TIMES.start)
  const { tx, cost } = await sale.deposit({ wallet: wallet.address }, SOL)
  expect(sale.land(tx, wallet)).toMatchObject({ err: null })
  sale.advanceTo(TIMES.end + 2)
  const { transactions } = await sale.claim({ wallet: wallet.address, payer: payer.address })
  for (const transaction of transactions) expect(sale.land(transaction, payer)).toMatchObject({ err: null })
  expect(tradesOf(sale)).toMatchObject([
    { kind: 'deposit' },
    {
      kind: 'refund',
      wallet: wallet.address,
      baseAmount: 0n,
      quoteAmount: BigInt(cost.credited),
      protocolFee: 0n,
    },
  ])
}

test('the refund of a missed goal is read from its transaction', () => refund(new Map()))
testRealPrograms(
  'the refund of a missed goal on the real programs is read from its transaction',
  () => refund(readPrograms(...NEEDED.programs)),
  NEEDED,
)
