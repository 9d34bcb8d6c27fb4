import {
  claimLaunchPoolV2,
  claimPresaleV2,
  refundLaunchPoolV2,
  triggerConditionsV2,
} from '@metaplex-foundation/genesis'
import { beforeAll, expect, test } from 'vitest'
import { TOKEN_PROGRAM } from '../ledger/account.ts'
import { systemTransfer } from '../ledger/system-instructions.ts'
import { decodeTokenAccount } from '../ledger/token-balances.ts'
import { asKey, FEE_WALLET } from '../programs/genesis/checks.ts'
import type { Instruction } from '../programs/stand-in.ts'
import { umi } from '../programs/umi-context.ts'
import { SOL, submit, useChain } from '../testing/start-chain.ts'
import { worldKey } from './keys.ts'
import { WRAPPED_SOL } from './launch-accounts.ts'
import { launchCatalogue } from './launch-catalogue.ts'
import { associatedToken } from './token-accounts.ts'
import { createAssociatedAccount } from './token-instructions.ts'
import {
  graduate,
  openQuoteAccount,
  signerAt,
  toInstructions,
  triggerBehaviors,
} from './trade-instructions.ts'
import { createWorldLaunch, describeLaunch, type WorldLaunch } from './world-launch.ts'

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
    createWorldLaunch(context, launch)
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
function send(...instructions: Instruction[]): unknown {
  // A different amount each time, so that the same instructions again are another transaction.
  const marker = systemTransfer(visitor().address, visitor().address, ++count)
  return submit(local(), visitor(), ...instructions, marker).err
}
const refused = (code: number) => ({ InstructionError: [expect.any(Number), { Custom: code }] })

const accountsOf = ({ mint, addresses }: WorldLaunch) => ({
  genesisAccount: asKey(addresses.genesis),
  bucket: asKey(addresses.primary),
  baseMint: asKey(mint),
  payer: signerAt(visitor().address),
})
const claim = (launch: WorldLaunch): Instruction[] => {
  const { mint } = launch
  const accounts = { ...accountsOf(launch), recipient: asKey(visitor().address) }
  if (launch.plan.mechanic !== 'presaleV2') return toInstructions(claimLaunchPoolV2(umi, accounts))
  const feeAccount = associatedToken(mint, FEE_WALLET)
  return [
    createAssociatedAccount({
      program: TOKEN_PROGRAM,
      payer: visitor().address,
      mint,
      owner: FEE_WALLET,
      account: feeAccount,
    }),
    ...toInstructions(claimPresaleV2(umi, { ...accounts, feeQuoteTokenAccount: asKey(feeAccount) })),
  ]
}
const conditions = (launch: WorldLaunch): Instruction[] =>
  toInstructions(
    triggerConditionsV2(umi, accountsOf(launch)).addRemainingAccounts([
      { pubkey: asKey(launch.addresses.amm), isSigner: false, isWritable: true },
    ]),
  )

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
    const { amm: bucket, ammSigner: holder } = launch.addresses
    const payer = visitor().address
    expect(send(...conditions(launch), ...claim(launch))).toEqual(refused(22))
    expect(
      send(openQuoteAccount(payer, holder), ...triggerBehaviors(payer, launch, { bucket, holder })),
    ).toBeNull()
    expect(send(...graduate(payer, launch, { environment: 'mainnet', creatorFee: false }))).toBeNull()
    expect(send(...conditions(launch), ...claim(launch))).toBeNull()
    expect(held(launch.mint)).toBe(share(launch))
  },
)

test('the visitor gets back a deposit in Cloud Cellar, which has missed its goal', () => {
  const launch = find('cloud-cellar')
  expect(send(...claim(launch))).toEqual(refused(172))
  const refund = refundLaunchPoolV2(umi, { ...accountsOf(launch), recipient: asKey(visitor().address) })
  expect(send(...toInstructions(refund))).toBeNull()
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
