import {
  claimLaunchPoolV2,
  claimPresaleV2,
  claimUnlockedV2,
  depositLaunchPoolV2,
  depositPresaleV2,
  findLaunchPoolDepositV2Pda,
  findPresaleDepositV2Pda,
  getLaunchPoolBucketV2AccountDataSerializer,
  getLaunchPoolDepositV2AccountDataSerializer,
  getPresaleBucketV2AccountDataSerializer,
  getPresaleDepositV2AccountDataSerializer,
  refundLaunchPoolV2,
  triggerBehaviorsV2,
  triggerConditionsV2,
  WRAPPED_SOL_MINT,
  withdrawLaunchPoolV2,
} from '@metaplex-foundation/genesis'
import {
  createAssociatedToken,
  findAssociatedTokenPda,
  mplToolbox,
  syncNative,
  transferSol,
} from '@metaplex-foundation/mpl-toolbox'
import {
  lamports,
  type PublicKey,
  publicKey,
  signerIdentity,
  type TransactionBuilder,
} from '@metaplex-foundation/umi'
import { createUmi } from '@metaplex-foundation/umi-bundle-defaults'
import type { Address } from '@solana/kit'
import { decodeTokenAccount } from '../ledger/token-balances.ts'
import { memoize } from '../memoize.ts'
import { genesis } from '../programs/genesis/genesis.ts'
import type { World } from './compare-steps.ts'
import { launchBuilders } from './launches.ts'
import { createManualChain } from './start-chain.ts'
import { asAddress, send, signer } from './umi-wallet.ts'

/** Unix seconds at which the chain begins. */
export const BEGINNING = 1_000_000_000
const FEE_WALLET = '9kFjQsxtpBsaw8s7aUyiY3wazYDNgFP4Lj5rsBVVF8tb' as PublicKey

/** A chain with a manual clock, the official builders for a launch pool, and numbered depositors. */
export function startLaunchPool(programs: ReadonlyMap<Address, Uint8Array> = new Map()) {
  const standIns = programs.has(genesis.address) ? [] : [genesis]
  const manual = createManualChain({ programs, standIns })
  const umi = createUmi('http://127.0.0.1:1').use(mplToolbox())
  umi.use(signerIdentity(signer(umi, 1)))
  const { chain } = manual
  chain.mint(asAddress(umi.payer.publicKey), 1_000_000_000_000n)
  const launch = launchBuilders(umi, signer(umi, 2))
  const common = { genesisAccount: launch.genesisAccount, bucket: launch.pool, baseMint: launch.mint }
  const tokenAccount = (owner: PublicKey, mint: PublicKey = WRAPPED_SOL_MINT) =>
    findAssociatedTokenPda(umi, { mint, owner })[0]
  const depositor = memoize(100, (number: number) => signer(umi, number))
  const account = (key: PublicKey) => chain.account(asAddress(key))
  return {
    ...manual,
    umi,
    launch,
    depositor,
    account,
    tokenAccount,
    feeAccount: tokenAccount(FEE_WALLET),
    tokens: (owner: PublicKey, mint?: PublicKey): bigint =>
      decodeTokenAccount(account(tokenAccount(owner, mint)))?.amount ?? 0n,

    /** Sends a transaction in a slot of its own. */
    async send(builder: TransactionBuilder) {
      const execution = await send({ chain }, umi, builder)
      manual.advance(1)
      return execution
    },
    wrapSol: (number: number, amount: bigint) => {
      const owner = depositor(number).publicKey
      return createAssociatedToken(umi, { mint: WRAPPED_SOL_MINT, owner })
        .add(transferSol(umi, { destination: tokenAccount(owner), amount: lamports(amount) }))
        .add(syncNative(umi, { account: tokenAccount(owner) }))
    },
    deposit: (number: number, amountQuoteToken: bigint, more: object = {}) =>
      depositLaunchPoolV2(umi, { ...common, depositor: depositor(number), amountQuoteToken, ...more }),
    withdraw: (number: number, amountQuoteToken: bigint, more: object = {}) =>
      withdrawLaunchPoolV2(umi, { ...common, withdrawer: depositor(number), amountQuoteToken, ...more }),
    claim: (number: number, more: object = {}) =>
      claimLaunchPoolV2(umi, { ...common, recipient: depositor(number).publicKey, ...more }),
    refund: (number: number, more: object = {}) =>
      refundLaunchPoolV2(umi, { ...common, recipient: depositor(number).publicKey, ...more }),
    triggerConditions: (bucket: PublicKey, ...references: PublicKey[]) =>
      triggerConditionsV2(umi, { ...common, bucket }).addRemainingAccounts(
        references.map(pubkey => ({ pubkey, isSigner: false, isWritable: true })),
      ),
    triggerBehaviors: (...destinations: PublicKey[]) =>
      triggerBehaviorsV2(umi, { ...common, primaryBucket: launch.pool }).addRemainingAccounts(
        (destinations.length > 0 ? destinations : [launch.unlocked])
          .flatMap(bucket => [bucket, tokenAccount(bucket)])
          .map(pubkey => ({ pubkey, isSigner: false, isWritable: true })),
      ),
    depositAddress: (number: number) =>
      findLaunchPoolDepositV2Pda(umi, { bucket: launch.pool, recipient: depositor(number).publicKey })[0],
    pool() {
      const data = account(launch.pool)?.data
      if (!data) throw new Error('there is no launch pool')
      return getLaunchPoolBucketV2AccountDataSerializer().deserialize(data)[0]
    },
    depositOf(number: number) {
      const data = account(this.depositAddress(number))?.data
      return data && getLaunchPoolDepositV2AccountDataSerializer().deserialize(data)[0]
    },
  }
}

type Pool = ReturnType<typeof startLaunchPool>

/** Claims what the unlocked bucket of a launch holds. */
export const claimForTeam = ({ umi, launch }: Pool, recipient: PublicKey, more: object = {}) =>
  claimUnlockedV2(umi, {
    genesisAccount: launch.genesisAccount,
    bucket: launch.unlocked,
    baseMint: launch.mint,
    recipient,
    ...more,
  })

const FEES = publicKey(FEE_WALLET)
const common = ({ launch }: World) => ({
  genesisAccount: launch.genesisAccount,
  bucket: launch.presale,
  baseMint: launch.mint,
})

export const depositInPresale = (world: World, number: number, amountQuoteToken: bigint, more: object = {}) =>
  depositPresaleV2(world.umi, {
    ...common(world),
    depositor: world.depositor(number),
    amountQuoteToken,
    ...more,
  })

/** The client's default fee account holds the quote token, and the program refuses it. */
export const claimFromPresale = (world: World, number: number, more: object = {}) =>
  claimPresaleV2(world.umi, {
    ...common(world),
    recipient: world.depositor(number).publicKey,
    feeQuoteTokenAccount: world.tokenAccount(FEES, world.launch.mint),
    ...more,
  })

export const openFeeAccount = ({ umi, launch }: World) =>
  createAssociatedToken(umi, { mint: launch.mint, owner: FEES })

export const presaleDepositAddress = ({ umi, launch, depositor }: World, number: number): PublicKey =>
  findPresaleDepositV2Pda(umi, { bucket: launch.presale, recipient: depositor(number).publicKey })[0]

export const triggerPresale = (world: World) =>
  triggerBehaviorsV2(world.umi, {
    ...common(world),
    primaryBucket: world.launch.presale,
  }).addRemainingAccounts(
    [world.launch.unlocked, world.tokenAccount(world.launch.unlocked)].map(pubkey => ({
      pubkey,
      isSigner: false,
      isWritable: true,
    })),
  )

export function presaleBucket({ account, launch }: World) {
  const data = account(launch.presale)?.data
  if (!data) throw new Error('there is no presale')
  return getPresaleBucketV2AccountDataSerializer().deserialize(data)[0]
}

export function presaleDepositOf(world: World, number: number) {
  const data = world.account(presaleDepositAddress(world, number))?.data
  return data && getPresaleDepositV2AccountDataSerializer().deserialize(data)[0]
}
