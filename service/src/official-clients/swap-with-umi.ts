import { findAuthorityPda, SwapDirection, swapBondingCurveV2 } from '@metaplex-foundation/genesis'
import { execute } from '@metaplex-foundation/mpl-core'
import {
  closeToken,
  createIdempotentAssociatedToken,
  findAssociatedTokenPda,
  setComputeUnitLimit,
  setComputeUnitPrice,
  syncNative,
  transferSol,
} from '@metaplex-foundation/mpl-toolbox'
import {
  createNoopSigner,
  lamports,
  type PublicKey,
  type TransactionBuilder,
  transactionBuilder,
  type Umi,
} from '@metaplex-foundation/umi'
import { struct, u64 } from '@metaplex-foundation/umi/serializers'
import { RAYDIUM_PROGRAMS } from '@slipway/launch-model/programs'
import { computeLimitOf } from '@slipway/launch-model/trade/plan-swap'
import type { SwapTransaction } from '../chain/transactions/build-swap.ts'
import { serializeUnsigned } from './stock-umi.ts'

const NATIVE = 'So11111111111111111111111111111111111111112'
const FEE_WALLET = '9kFjQsxtpBsaw8s7aUyiY3wazYDNgFP4Lj5rsBVVF8tb' as PublicKey
const key = (address: string) => address as PublicKey

/** A trade with the official builders of every program but Raydium's, which has none for Umi. */
export function swapWithUmi(umi: Umi, swap: SwapTransaction): string {
  const { tokens, holds, side } = swap
  const trader = key(swap.trader)
  const source = trader === umi.payer.publicKey ? umi.payer : createNoopSigner(trader)
  const account = (token: 'base' | 'quote', owner: PublicKey = trader) =>
    findAssociatedTokenPda(umi, {
      mint: key(tokens[token].mint),
      owner,
      tokenProgramId: key(tokens[token].program),
    })
  const open = (token: 'base' | 'quote') =>
    // The builder writes no data, which the program takes for `Create`; that fails if the account exists.
    createIdempotentAssociatedToken(umi, {
      ata: account(token),
      owner: trader,
      mint: key(tokens[token].mint),
      tokenProgram: key(tokens[token].program),
    }).items.map(item => ({ ...item, instruction: { ...item.instruction, data: Uint8Array.of(1) } }))
  const signed = (builder: TransactionBuilder) => (swap.agent ? executed(umi, swap.agent, builder) : builder)
  const pay = (destination: PublicKey, amount: bigint) =>
    signed(transferSol(umi, { source, destination, amount: lamports(amount) }))

  let builder = transactionBuilder().add(setComputeUnitLimit(umi, { units: computeLimitOf(swap) }))
  if (swap.priorityFee > 0n)
    builder = builder.add(setComputeUnitPrice(umi, { microLamports: swap.priorityFee }))
  if (side === 'buy' && !holds.hasBase) builder = builder.add(open('base'))
  if (!holds.quote) builder = builder.add(open('quote'))
  const isNative = tokens.quote.mint === NATIVE
  const [wrapped] = account('quote')
  if (isNative && side === 'buy')
    builder = builder.add(pay(wrapped, swap.amountIn)).add(syncNative(umi, { account: wrapped }))
  if (isNative && side === 'sell' && holds.quote && swap.trader !== swap.payer)
    builder = builder.add(syncNative(umi, { account: wrapped }))
  builder = builder.add(signed('pool' in swap.at ? inPool(umi, swap) : onCurve()))
  if (!isNative) return serialize()
  const close = () =>
    signed(closeToken(umi, { account: wrapped, destination: trader, owner: createNoopSigner(trader) }))
  if (!holds.quote) {
    builder = builder.add(close())
    if (swap.trader !== swap.payer) builder = builder.add(pay(key(swap.payer), swap.accountRent))
  } else if (side === 'sell' && !holds.quote.isDelegated)
    builder = builder
      .add(close())
      .add(pay(wrapped, swap.accountRent + holds.quote.amount))
      .add(open('quote'))
  return serialize()

  function serialize() {
    return serializeUnsigned(umi, builder, swap.blockhash)
  }

  function onCurve(): TransactionBuilder {
    const bucket = key('curve' in swap.at ? swap.at.curve : '')
    const genesisAccount = key(swap.genesis)
    const isPayer = trader === umi.payer.publicKey
    return swapBondingCurveV2(umi, {
      genesisAccount,
      bucket,
      baseMint: key(tokens.base.mint),
      quoteMint: key(tokens.quote.mint),
      genesisBaseTokenAccount: account('base', genesisAccount),
      baseTokenAccount: account('base'),
      quoteTokenAccount: account('quote'),
      bucketQuoteTokenAccount: account('quote', bucket),
      feeQuoteTokenAccount: account('quote', FEE_WALLET),
      baseTokenProgram: key(tokens.base.program),
      quoteTokenProgram: key(tokens.quote.program),
      ...(!isPayer && {
        quoteTokenOwner: side === 'buy' ? source : trader,
        baseTokenOwner: side === 'buy' ? trader : source,
      }),
      swapDirection: side === 'buy' ? SwapDirection.Buy : SwapDirection.Sell,
      amount: swap.amountIn,
      minAmountOutScaled: swap.amountOutMin,
    })
  }
}

function executed(
  umi: Umi,
  { asset, collection }: NonNullable<SwapTransaction['agent']>,
  instructions: TransactionBuilder,
): TransactionBuilder {
  return execute(umi, {
    asset: { publicKey: key(asset) },
    ...(collection && { collection: { publicKey: key(collection) } }),
    instructions,
  })
}

const swapData = struct([
  ['amountIn', u64()],
  ['minimumAmountOut', u64()],
])

/** `swap_base_input`, with the accounts in the order of the program's public IDL. */
function inPool(umi: Umi, { at, tokens, side, trader, amountIn, amountOutMin }: SwapTransaction) {
  if (!('pool' in at)) throw new Error('there is no pool')
  const { pool } = at
  const programId = key(RAYDIUM_PROGRAMS[pool.environment])
  const isBase0 = pool.mint0 === tokens.base.mint
  const vaults = { base: isBase0 ? pool.vault0 : pool.vault1, quote: isBase0 ? pool.vault1 : pool.vault0 }
  const [paid, received] = side === 'buy' ? (['quote', 'base'] as const) : (['base', 'quote'] as const)
  const own = (token: 'base' | 'quote') =>
    findAssociatedTokenPda(umi, {
      mint: key(tokens[token].mint),
      owner: key(trader),
      tokenProgramId: key(tokens[token].program),
    })[0]
  const meta = (pubkey: string, isWritable: boolean, isSigner = false) => ({
    pubkey: key(pubkey),
    isSigner,
    isWritable,
  })
  return transactionBuilder([
    {
      instruction: {
        programId,
        keys: [
          meta(trader, false, true),
          meta(findAuthorityPda(umi, programId)[0], false),
          meta(pool.config, false),
          meta(pool.address, true),
          meta(own(paid), true),
          meta(own(received), true),
          meta(vaults[paid] ?? '', true),
          meta(vaults[received] ?? '', true),
          meta(tokens[paid].program, false),
          meta(tokens[received].program, false),
          meta(tokens[paid].mint, false),
          meta(tokens[received].mint, false),
          meta(pool.observation ?? '', true),
        ],
        data: Uint8Array.from([
          ...[0x8f, 0xbe, 0x5a, 0xda, 0xc4, 0x1e, 0x33, 0xde],
          ...swapData.serialize({ amountIn, minimumAmountOut: amountOutMin }),
        ]),
      },
      signers: [createNoopSigner(key(trader))],
      bytesCreatedOnChain: 0,
    },
  ])
}
