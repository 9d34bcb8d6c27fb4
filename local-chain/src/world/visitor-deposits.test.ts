import type { Call } from '@slipway/launch-model/call'
import { claimDepositCall, refundCall } from '@slipway/launch-model/calls/deposits'
import { openTokenAccountCall } from '@slipway/launch-model/calls/tokens'
import { GENESIS_FEE_WALLET, WRAPPED_NATIVE_MINT as WRAPPED_SOL } from '@slipway/launch-model/programs'
import { beforeAll, expect, test } from 'vitest'
import { TOKEN_PROGRAM } from '../ledger/account.ts'
import { systemTransfer } from '../ledger/system-instructions.ts'
import { decodeTokenAccount } from '../ledger/token-balances.ts'
import { SOL, submit, useChain } from '../testing/start-chain.ts'
import { associatedToken } from '../testing/token-accounts.ts'
import { graduate, saleOf, toInstruction, triggerBehaviors, triggerConditions } from './calls.ts'
import { launchCatalogue } from './catalogue.ts'
import { createLaunch } from './create-launch.ts'
import { worldKey } from './keys.ts'
import { describeLaunch, type WorldLaunch } from './world-launch.ts'

/** The tokens that each pool or presale has sold for its deposits. */
const SOLD = 800_000_000_000_000n
const local = useChain()
const launches = new Map<string, WorldLaunch>()

beforeAll(() => {
  const { chain, airdrop } = local()
  const maker = worldKey(chain, 'maker')
  airdrop(maker.address, 500n * SOL)
  airdrop(worldKey(chain, 'visitor').address, 100n * SOL)
  const context = {
    chain,
    maker,
    documentsUrl: 'http://127.0.0.1:1',
    environment: 'mainnet' as const,
    fund: airdrop,
  }
  for (const entry of launchCatalogue.filter(({ ofVisitor }) => ofVisitor)) {
    const launch = describeLaunch(context, entry)
    createLaunch(context, launch)
    launches.set(entry.slug, launch)
  }
})

function find(slug: string): WorldLaunch {
  const launch = launches.get(slug)
  if (!launch) throw new Error(`there is no launch ${slug}`)
  return launch
}

const visitor = () => worldKey(local().chain, 'visitor')
const held = (mint: WorldLaunch['mint']) =>
  decodeTokenAccount(local().chain.account(associatedToken(mint, visitor().address)))?.amount

let count = 0n
function send(...calls: Call[]): unknown {
  // A different amount each time, so that the same instructions again are another transaction.
  const marker = systemTransfer(visitor().address, visitor().address, ++count)
  return submit(local(), visitor(), ...calls.map(toInstruction), marker).err
}
const refused = (code: number) => ({ InstructionError: [expect.any(Number), { Custom: code }] })

const ofVisitor = () => ({ owner: visitor().address, payer: visitor().address })
const sale = (launch: WorldLaunch) => ({ ...launch, mechanic: launch.plan.mechanic })
const claim = (launch: WorldLaunch): Call[] => [
  // The fee of a claim in a presale is in base tokens.
  openTokenAccountCall(visitor().address, GENESIS_FEE_WALLET, { mint: launch.mint, program: TOKEN_PROGRAM }),
  claimDepositCall(saleOf(sale(launch)), ofVisitor()),
]
const conditions = (launch: WorldLaunch): Call[] =>
  triggerConditions(visitor().address, sale(launch), launch.addresses.amm)

/** The visitor's part of the tokens. Those of a presale are what the deposit buys of its cap of 500 SOL. */
const share = ({ plan, entry }: WorldLaunch, deposited = BigInt(entry.deposited)) =>
  (SOLD * BigInt(entry.ofVisitor ?? 0)) / (plan.mechanic === 'presaleV2' ? 500n : deposited)

test.each(['tollgate', 'herring-row'])('the visitor can claim tokens of %s, which has graduated', slug => {
  const launch = find(slug)
  if (launch.plan.claimsAtGraduation) {
    expect(send(...claim(launch))).toEqual(refused(22))
    expect(send(...conditions(launch))).toBeNull()
  }
  expect(send(...claim(launch))).toBeNull()
  expect(held(launch.mint)).toBe(share(launch))
})

test.each(['slack-water', 'night-ferry'])(
  'the visitor can graduate %s, which has ended, and then claim tokens',
  slug => {
    const launch = find(slug)
    const bucket = { kind: 'raydiumCpmmV2', address: launch.addresses.amm } as const
    const payer = visitor().address
    expect(send(...conditions(launch), ...claim(launch))).toEqual(refused(22))
    expect(send(...triggerBehaviors(payer, sale(launch), bucket))).toBeNull()
    expect(send(...graduate(payer, launch, { environment: 'mainnet', creatorFee: false }))).toBeNull()
    expect(send(...conditions(launch), ...claim(launch))).toBeNull()
    expect(held(launch.mint)).toBe(share(launch))
  },
)

test('the visitor gets back a deposit in Cloud Cellar, which has missed its goal', () => {
  const launch = find('cloud-cellar')
  expect(send(...claim(launch))).toEqual(refused(172))
  expect(send(refundCall(saleOf(sale(launch)), ofVisitor()))).toBeNull()
  expect(held(WRAPPED_SOL)).toBe(3n * SOL)
})

test.each(['long-meadow', 'seed-vault'])(
  'the visitor can claim what %s has released, and the rest later',
  slug => {
    const launch = find(slug)
    expect(send(...claim(launch))).toBeNull()
    const claimed = held(launch.mint) ?? 0n
    // A tenth at once, and a few weeks of the rest.
    expect(claimed).toBeGreaterThan(share(launch) / 10n)
    expect(claimed).toBeLessThan(share(launch) / 4n)
  },
)
