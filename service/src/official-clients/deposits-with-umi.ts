import {
  claimLaunchPoolV2,
  claimPresaleV2,
  claimUnlockedV2,
  depositLaunchPoolV2,
  depositPresaleV2,
  deriveRaydiumPDAsV2,
  graduateToRaydiumCpmmV2,
  refundLaunchPoolV2,
  triggerBehaviorsV2,
  triggerConditionsV2,
  withdrawLaunchPoolV2,
} from '@metaplex-foundation/genesis'
import { findAssociatedTokenPda } from '@metaplex-foundation/mpl-toolbox'
import { createNoopSigner, type PublicKey, type TransactionBuilder, type Umi } from '@metaplex-foundation/umi'
import type { NamedBucket } from '@slipway/launch-model/calls/deposits'
import { GENESIS_FEE_WALLET, type RaydiumEnvironment } from '@slipway/launch-model/programs'
import type { Address } from '@slipway/schema/address'

const key = (address: Address) => address as string as PublicKey

/** The official builders of everything about deposits, as instructions. */
export function depositsWithUmi(
  umi: Umi,
  { genesis, bucket, tokens }: NamedBucket,
  { owner, payer, amount }: { owner: Address; payer: Address; amount: bigint },
) {
  const common = {
    genesisAccount: key(genesis),
    bucket: key(bucket.address),
    baseMint: key(tokens.base.mint),
  }
  const by = { payer: createNoopSigner(key(payer)), recipient: key(owner) }
  const deposit = {
    ...common,
    rentPayer: createNoopSigner(key(payer)),
    depositor: createNoopSigner(key(owner)),
    amountQuoteToken: amount,
  }
  const feeAccount = findAssociatedTokenPda(umi, {
    mint: key(tokens.base.mint),
    owner: key(GENESIS_FEE_WALLET),
  })
  const writable = (addresses: readonly PublicKey[]) =>
    addresses.map(pubkey => ({ pubkey, isSigner: false, isWritable: true }))
  const isPool = bucket.kind === 'launchpoolV2'
  return {
    deposit: toInstruction(isPool ? depositLaunchPoolV2(umi, deposit) : depositPresaleV2(umi, deposit)),
    withdraw: toInstruction(
      withdrawLaunchPoolV2(umi, {
        ...common,
        payer: by.payer,
        withdrawer: createNoopSigner(key(owner)),
        amountQuoteToken: amount,
      }),
    ),
    claim: toInstruction(
      isPool
        ? claimLaunchPoolV2(umi, { ...common, ...by })
        : claimPresaleV2(umi, { ...common, ...by, feeQuoteTokenAccount: feeAccount }),
    ),
    refund: toInstruction(refundLaunchPoolV2(umi, { ...common, ...by })),
    unlocked: toInstruction(claimUnlockedV2(umi, { ...common, ...by })),
    conditions: (references: readonly Address[]) =>
      toInstruction(
        triggerConditionsV2(umi, { ...common, payer: by.payer }).addRemainingAccounts(
          writable(references.map(key)),
        ),
      ),
    behaviors: (destinations: readonly { bucket: Address; holder: Address }[]) =>
      toInstruction(
        triggerBehaviorsV2(umi, {
          genesisAccount: common.genesisAccount,
          primaryBucket: common.bucket,
          baseMint: common.baseMint,
          payer: by.payer,
        }).addRemainingAccounts(
          writable(
            destinations.flatMap(({ bucket: to, holder }) => [
              key(to),
              findAssociatedTokenPda(umi, { mint: key(tokens.quote.mint), owner: key(holder) })[0],
            ]),
          ),
        ),
      ),
    graduate: (environment: RaydiumEnvironment, creatorFee: boolean) =>
      toInstruction(
        graduateToRaydiumCpmmV2(umi, {
          ...deriveRaydiumPDAsV2(umi, common.baseMint, common.bucket, { env: environment, creatorFee }),
          ...common,
          payer: by.payer,
        }),
      ),
  }
}

function toInstruction(builder: TransactionBuilder) {
  const [instruction] = builder.getInstructions()
  if (!instruction) throw new Error('there is no instruction')
  const { programId, keys, data } = instruction
  return {
    program: programId as string,
    accounts: keys.map(({ pubkey, isSigner, isWritable }) => [
      pubkey as string,
      (isSigner ? 2 : 0) + (isWritable ? 1 : 0),
    ]),
    data: Buffer.from(data).toString('hex'),
  }
}
