import {
  claimPresaleV2,
  depositPresaleV2,
  findPresaleDepositV2Pda,
  getPresaleBucketV2AccountDataSerializer,
  getPresaleDepositV2AccountDataSerializer,
  triggerBehaviorsV2,
} from '@metaplex-foundation/genesis'
import { createAssociatedToken } from '@metaplex-foundation/mpl-toolbox'
import { type PublicKey, publicKey } from '@metaplex-foundation/umi'
import { FEE_WALLET } from '../programs/genesis/checks.ts'
import type { World } from './compare-steps.ts'

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
