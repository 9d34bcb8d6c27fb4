import {
  depositLaunchPoolV2,
  deriveRaydiumPDAsV2,
  getBondingCurveBucketV2AccountDataSerializer,
  getRaydiumCpmmBucketV2AccountDataSerializer,
  graduateToRaydiumCpmmV2,
  SwapDirection,
  swapBondingCurveV2,
  triggerBehaviorsV2,
} from '@metaplex-foundation/genesis'
import { createNoopSigner, isSome, type TransactionBuilder } from '@metaplex-foundation/umi'
import type { Address } from '@solana/kit'
import { TOKEN_PROGRAM } from '../ledger/account.ts'
import type { Chain } from '../ledger/create-chain.ts'
import { createFaucet } from '../ledger/faucet.ts'
import { type Keypair, signTransaction } from '../ledger/keypair.ts'
import { parseTransaction } from '../ledger/parse-transaction.ts'
import { systemTransfer } from '../ledger/system-instructions.ts'
import { decodeTokenAccount } from '../ledger/token-balances.ts'
import { asKey, FEE_WALLET } from '../programs/genesis/checks.ts'
import type { Instruction } from '../programs/stand-in.ts'
import { umi } from '../programs/umi-context.ts'
import { type RaydiumEnvironment, worldKey } from './keys.ts'
import { WRAPPED_SOL } from './launch-accounts.ts'
import { associatedToken } from './token-accounts.ts'
import { createAssociatedAccount, syncNative } from './token-instructions.ts'
import type { WorldLaunch } from './world-launch.ts'

const SOL = 1_000_000_000n
const REFILL_LAMPORTS = 1_000n * SOL
const BALANCE_MIN_LAMPORTS = 100n * SOL

/**
 * What traders send: the same instructions, signed and paid like those of any other wallet. A trader who is short of
 * lamports gets an airdrop.
 */
export function marketTrades(chain: Chain, environment: RaydiumEnvironment) {
  const faucet = createFaucet(chain)

  function send(trader: Keypair, instructions: readonly Instruction[]): void {
    const blockhash = chain.clock.blockhash(chain.clock.slot())
    const { err, logs } = chain.submit(parseTransaction(signTransaction([trader], instructions, blockhash)))
    if (err !== null) throw new Error(`a demo trade failed: ${JSON.stringify(err)}\n${logs.join('\n')}`)
  }

  const fundedTrader = (number: number): Keypair => {
    const trader = worldKey(chain, `trader:${number}`)
    if ((chain.account(trader.address)?.lamports ?? 0n) < BALANCE_MIN_LAMPORTS)
      faucet.airdrop(trader.address, REFILL_LAMPORTS)
    return trader
  }

  const openQuoteAccount = ({ address: payer }: Keypair, owner: Address): Instruction =>
    createAssociatedAccount({
      program: TOKEN_PROGRAM,
      payer,
      mint: WRAPPED_SOL,
      owner,
      account: associatedToken(WRAPPED_SOL, owner),
    })

  /** Wraps lamports of the trader, and makes sure that the program's fee wallet has an account. */
  const wrap = (trader: Keypair, lamports: bigint): Instruction[] => {
    const account = associatedToken(WRAPPED_SOL, trader.address)
    return [
      openQuoteAccount(trader, FEE_WALLET),
      openQuoteAccount(trader, trader.address),
      systemTransfer(trader.address, account, lamports),
      syncNative(account),
    ]
  }

  const swap = (trader: Keypair, launch: WorldLaunch, swapDirection: SwapDirection, amount: bigint) =>
    toInstructions(
      swapBondingCurveV2(umi, {
        genesisAccount: asKey(launch.genesisAddress),
        bucket: asKey(launch.addresses.primary),
        baseMint: asKey(launch.mint),
        baseTokenAccount: asKey(associatedToken(launch.mint, trader.address)),
        quoteTokenAccount: asKey(associatedToken(WRAPPED_SOL, trader.address)),
        payer: createNoopSigner(asKey(trader.address)),
        swapDirection,
        amount,
        minAmountOutScaled: 0n,
      }),
    )

  return {
    buyOnCurve(launch: WorldLaunch, traderNumber: number, lamports: bigint): void {
      const trader = fundedTrader(traderNumber)
      send(trader, [...wrap(trader, lamports), ...swap(trader, launch, SwapDirection.Buy, lamports)])
    },

    /** Sells a third of what the trader holds; `false` if that is nothing. */
    sellOnCurve(launch: WorldLaunch, traderNumber: number): boolean {
      const trader = fundedTrader(traderNumber)
      const held = decodeTokenAccount(chain.account(associatedToken(launch.mint, trader.address)))?.amount
      const amount = (held ?? 0n) / 3n
      if (amount === 0n) return false
      send(trader, swap(trader, launch, SwapDirection.Sell, amount))
      return true
    },

    depositInPool(launch: WorldLaunch, traderNumber: number, lamports: bigint): void {
      const trader = fundedTrader(traderNumber)
      const signer = createNoopSigner(asKey(trader.address))
      const deposit = depositLaunchPoolV2(umi, {
        genesisAccount: asKey(launch.genesisAddress),
        bucket: asKey(launch.addresses.primary),
        baseMint: asKey(launch.mint),
        rentPayer: signer,
        depositor: signer,
        amountQuoteToken: lamports,
      })
      send(trader, [...wrap(trader, lamports), ...toInstructions(deposit)])
    },

    isSoldOut({ addresses }: WorldLaunch): boolean {
      const data = chain.account(addresses.primary)?.data
      if (!data) return false
      const [curve] = getBondingCurveBucketV2AccountDataSerializer().deserialize(data)
      return isSome(curve.swapEndCondition.triggeredTimestamp)
    },

    /** Sends the proceeds of a sold-out curve to its AMM bucket, and then creates the pool. */
    graduate(launch: WorldLaunch, traderNumber: number): void {
      const trader = fundedTrader(traderNumber)
      const payer = createNoopSigner(asKey(trader.address))
      const { amm, ammSigner, primary } = launch.addresses
      const common = { genesisAccount: asKey(launch.genesisAddress), baseMint: asKey(launch.mint), payer }
      const destinations = [amm, associatedToken(WRAPPED_SOL, ammSigner)]
      const trigger = triggerBehaviorsV2(umi, {
        ...common,
        primaryBucket: asKey(primary),
      }).addRemainingAccounts(
        destinations.map(address => ({ pubkey: asKey(address), isSigner: false, isWritable: true })),
      )
      if (!hasProceeds(amm)) send(trader, [openQuoteAccount(trader, ammSigner), ...toInstructions(trigger)])
      const pool = deriveRaydiumPDAsV2(umi, asKey(launch.mint), asKey(amm), {
        creatorFee: true,
        env: environment,
      })
      send(trader, toInstructions(graduateToRaydiumCpmmV2(umi, { ...pool, ...common, bucket: asKey(amm) })))
    },
  }

  function hasProceeds(amm: Address): boolean {
    const data = chain.account(amm)?.data
    return data
      ? getRaydiumCpmmBucketV2AccountDataSerializer().deserialize(data)[0].quoteTokenInSigner > 0n
      : false
  }
}

const toInstructions = (builder: TransactionBuilder): Instruction[] =>
  builder.getInstructions().map(({ programId, keys, data }) => ({
    program: programId as string as Address,
    accounts: keys.map(({ pubkey, ...flags }) => ({ address: pubkey as string as Address, ...flags })),
    data,
  }))
