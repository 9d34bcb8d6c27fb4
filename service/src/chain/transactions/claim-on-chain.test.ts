import {
  deriveRaydiumPDAsV2,
  getBondingCurveBucketV2AccountDataSerializer,
  getGenesisAccountV2AccountDataSerializer,
} from '@metaplex-foundation/genesis'
import { getTokenAccountDataSerializer } from '@metaplex-foundation/mpl-toolbox'
import type { PublicKey } from '@metaplex-foundation/umi'
import { assetSignerAddress, associatedTokenAddress, poolStateAddress } from '@slipway/launch-model/addresses'
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM, WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import type { Keypair } from '@slipway/local-chain'
import { createKeypair } from '@slipway/local-chain/ledger/keypair'
import { blankPool, encodePoolFees } from '@slipway/local-chain/programs/genesis/pool-state'
import { buildLaunchAccounts, type LaunchPlan } from '@slipway/local-chain/world/launch-accounts'
import { launchAddresses } from '@slipway/local-chain/world/launch-addresses'
import { submit } from '@slipway/local-chain/world/submit'
import { buildMint, buildTokenAccount } from '@slipway/local-chain/world/token-accounts'
import { createMintWithMetadata } from '@slipway/local-chain/world/token-instructions'
import type { Address } from '@slipway/schema/address'
import { beforeEach, expect, test } from 'vitest'
import { stockUmi } from '../../official-clients/stock-umi.ts'
import { decodeBucket } from '../accounts/bucket.ts'
import { decodeMint } from '../accounts/mint.ts'
import { decodePoolState } from '../accounts/pool-state.ts'
import { buildClaimTransaction, type Claim } from './build-claim.ts'
import { startTestChain, type TestChain } from './test-chain.ts'

const SIGNATURE_FEE = 5_000n

let chain: TestChain
let payer: Keypair
beforeEach(async () => {
  chain = await startTestChain()
  payer = chain.wallet()
})
const rent = (size: number) => chain.chain.vm.rentExemptMinimum(size)
const tokens = (owner: Address, mint = WRAPPED_NATIVE_MINT, program = TOKEN_PROGRAM) => {
  const account = chain.chain.account(associatedTokenAddress(mint, owner, program))
  return account && getTokenAccountDataSerializer().deserialize(account.data)[0].amount
}

/** A launch that owes its creator fees, optionally with a pool that holds more of them. */
function makeLaunch(
  creatorWallet: Address,
  plan: Partial<LaunchPlan>,
  pool?: { base: bigint; quote: bigint },
) {
  const mint = createKeypair().address
  const full: LaunchPlan = {
    mechanic: 'bondingCurveV2',
    mint,
    authority: payer.address,
    startTime: 0,
    endTime: 0,
    supply: 1_000_000_000_000n,
    depositedLamports: 5_000_000_000n,
    creatorWallet,
    ...plan,
  }
  const at = launchAddresses(mint, full.mechanic)
  const accounts = buildLaunchAccounts(full, rent)
  accounts.set(mint, buildMint(undefined, full.supply, 6, rent))
  const hold = (owner: Address, amount: bigint, of = WRAPPED_NATIVE_MINT) =>
    accounts.set(associatedTokenAddress(of, owner, TOKEN_PROGRAM), buildTokenAccount(of, owner, amount, rent))
  hold(at.primary, 5_000_000_000n)
  if (full.amm) hold(at.ammSigner, full.amm.accrued - full.amm.claimed)
  if (pool) {
    const raydium = deriveRaydiumPDAsV2(
      stockUmi(payer.address),
      mint as string as PublicKey,
      at.amm as string as PublicKey,
      { creatorFee: true, env: 'mainnet' },
    )
    const fees: [bigint, bigint] = raydium.isProjectMintToken0
      ? [pool.base, pool.quote]
      : [pool.quote, pool.base]
    const data = encodePoolFees(blankPool(raydium.token0Mint, raydium.token1Mint), ...fees)
    const plain = (key: string) => key as Address
    accounts.set(at.pool, {
      lamports: rent(data.length),
      owner: plain(raydium.raydiumProgram),
      data,
      executable: false,
    })
    const authority = plain(raydium.poolAuthority)
    accounts.set(
      plain(raydium.quoteVault),
      buildTokenAccount(WRAPPED_NATIVE_MINT, authority, 9_000_000_000n, rent),
    )
    accounts.set(plain(raydium.baseVault), buildTokenAccount(mint, authority, 1_000_000n, rent))
  }
  chain.chain.writeAccounts(accounts)
  return at
}

/** Reads the accounts, then builds the transaction, as the service does. */
async function buildClaim(
  address: Address,
  by: Keypair,
  { blockhash, unwraps }: Pick<Partial<Claim>, 'blockhash' | 'unwraps'> = {},
): Promise<string> {
  const bucket = decodeBucket(chain.read(address))
  if (!bucket.exists || !bucket.creatorFee || !bucket.baseMint || !bucket.quoteMint)
    throw new Error('nothing to claim')
  const { baseMint, quoteMint } = bucket
  const [base, quote] = [decodeMint(chain.read(baseMint)), decodeMint(chain.read(quoteMint))]
  if (!base.exists || !quote.exists) throw new Error('no mints')
  const pool = decodePoolState(chain.read(poolStateAddress(address)), { baseMint, quoteMint })
  const waiting = pool.exists && pool.creatorFees.base + pool.creatorFees.quote > 0n
  const { wallet } = bucket.creatorFee
  return buildClaimTransaction({
    payer: by.address,
    bucket,
    wallet,
    baseMint,
    quoteMint,
    quoteTokenProgram: quote.tokenProgram,
    createsTokenAccount: !chain.read(associatedTokenAddress(quoteMint, wallet, quote.tokenProgram)).exists,
    ...(waiting && { collect: { ...pool, baseTokenProgram: base.tokenProgram } }),
    blockhash: blockhash ?? (await chain.latestBlockhash()),
    unwraps,
  })
}
const claim = async (address: Address, by: Keypair) => chain.land(await buildClaim(address, by), by)

test('a curve pays its creator into a token account that the payer creates', async () => {
  const creator = createKeypair()
  const at = makeLaunch(creator.address, { creatorFee: { accrued: 700_000_007n, claimed: 200_000_000n } })
  const before = chain.lamports(payer.address)
  expect(await claim(at.primary, payer)).toBeNull()
  expect(tokens(creator.address)).toBe(500_000_007n)
  expect(tokens(at.primary)).toBe(4_499_999_993n)
  expect(chain.lamports(payer.address)).toBe(before - rent(165) - SIGNATURE_FEE)
  expect(decodeBucket(chain.read(at.primary))).toMatchObject({
    creatorFee: { accrued: 700_000_007n, claimed: 700_000_007n },
  })
  expect(await claim(at.primary, payer)).toEqual({ InstructionError: [0, { Custom: 26 }] })
})

test('a creator can pay for their own claims, and the second one creates no token account', async () => {
  const creator = chain.wallet()
  const curve = makeLaunch(creator.address, { creatorFee: { accrued: 1_000n, claimed: 0n } })
  const pool = makeLaunch(creator.address, { amm: { graduatedAt: 1, accrued: 300n, claimed: 100n } })
  expect(await claim(curve.primary, creator)).toBeNull()
  const before = chain.lamports(creator.address)
  expect(await claim(pool.amm, creator)).toBeNull()
  expect(tokens(creator.address)).toBe(1_200n)
  expect(chain.lamports(creator.address)).toBe(before - SIGNATURE_FEE)
})

test('fees in the pool are collected and claimed in one transaction', async () => {
  const creator = createKeypair()
  const at = makeLaunch(
    creator.address,
    { amm: { graduatedAt: 1, accrued: 300n, claimed: 100n } },
    { base: 40n, quote: 2_000_000n },
  )
  expect(await claim(at.amm, payer)).toBeNull()
  expect(tokens(creator.address)).toBe(2_000_200n)
  expect(tokens(at.ammSigner)).toBe(0n)
  expect(decodeBucket(chain.read(at.amm))).toMatchObject({
    creatorFee: { accrued: 2_000_300n, claimed: 2_000_300n },
  })
})

test('a claim can pay the wallet of an agent, which has no private key', async () => {
  const wallet = assetSignerAddress(createKeypair().address)
  const at = makeLaunch(wallet, {
    creatorFee: { accrued: 9n, claimed: 0n },
    amm: { graduatedAt: 1, accrued: 5n, claimed: 0n },
  })
  expect(await claim(at.primary, payer)).toBeNull()
  expect(await claim(at.amm, payer)).toBeNull()
  expect(tokens(wallet)).toBe(14n)
})

test('two claims that both create the token account land in either order', async () => {
  const creator = createKeypair()
  const one = makeLaunch(creator.address, { creatorFee: { accrued: 10n, claimed: 0n } })
  const two = makeLaunch(
    creator.address,
    { amm: { graduatedAt: 1, accrued: 20n, claimed: 0n } },
    { base: 0n, quote: 3n },
  )
  const blockhash = await chain.latestBlockhash()
  const built = [
    await buildClaim(one.primary, payer, { blockhash }),
    await buildClaim(two.amm, payer, { blockhash }),
  ]
  for (const transaction of built.reverse()) expect(await chain.land(transaction, payer)).toBeNull()
  expect(tokens(creator.address)).toBe(33n)
})

test('a claim in a Token-2022 quote mint is paid', async () => {
  const creator = createKeypair()
  const quote = createKeypair()
  submit(
    chain.chain,
    [payer, quote],
    createMintWithMetadata(
      { payer: payer.address, mint: quote.address, decimals: 6, rent },
      { name: 'Quote', symbol: 'Q', uri: 'u' },
    ) as unknown as Parameters<typeof submit>[2],
    { also: new Map(), named: [] },
  )
  const at = makeLaunch(creator.address, { creatorFee: { accrued: 123n, claimed: 0n } })
  const quoteMint = quote.address as string as PublicKey
  const change = (address: Address, edit: (data: Uint8Array) => Uint8Array) => {
    const account = chain.chain.account(address)
    if (!account) throw new Error(address)
    return [address, { ...account, data: edit(account.data) }] as const
  }
  const [genesis, curve] = [
    getGenesisAccountV2AccountDataSerializer(),
    getBondingCurveBucketV2AccountDataSerializer(),
  ]
  chain.chain.writeAccounts(
    new Map([
      change(at.genesis, data => genesis.serialize({ ...genesis.deserialize(data)[0], quoteMint })),
      change(at.primary, data => {
        const [bucket] = curve.deserialize(data)
        return curve.serialize({ ...bucket, bucket: { ...bucket.bucket, quoteMint } })
      }),
      [
        associatedTokenAddress(quote.address, at.primary, TOKEN_2022_PROGRAM),
        { ...buildTokenAccount(quote.address, at.primary, 500n, rent), owner: TOKEN_2022_PROGRAM },
      ],
    ]),
  )
  expect(await claim(at.primary, payer)).toBeNull()
  expect(tokens(creator.address, quote.address, TOKEN_2022_PROGRAM)).toBe(123n)
})

test('unwrapped fees arrive as SOL and leave an existing wrapped account unchanged, for any payer', async () => {
  for (const held of [undefined, 3_000_000_000n]) {
    for (const isOwnPayer of [true, false]) {
      const creator = chain.wallet()
      const at = makeLaunch(
        creator.address,
        { amm: { graduatedAt: 1, accrued: 900n, claimed: 100n } },
        { base: 0n, quote: 4_000_000n },
      )
      if (held !== undefined)
        chain.chain.writeAccounts(
          new Map([
            [
              associatedTokenAddress(WRAPPED_NATIVE_MINT, creator.address, TOKEN_PROGRAM),
              buildTokenAccount(WRAPPED_NATIVE_MINT, creator.address, held, rent),
            ],
          ]),
        )
      const by = isOwnPayer ? creator : payer
      const before = chain.lamports(creator.address)
      const quote = held === undefined ? undefined : { amount: held, isDelegated: false }
      const tx = await buildClaim(at.amm, by, { unwraps: { quote, accountRent: rent(165) } })
      expect(await chain.land(tx, ...(isOwnPayer ? [creator] : [payer, creator]))).toBeNull()
      expect(tokens(creator.address)).toBe(held)
      const costs = isOwnPayer ? SIGNATURE_FEE : 0n
      expect(chain.lamports(creator.address) - before).toBe(4_000_800n - costs)
    }
  }
})
