import {
  type BondingCurveBucketV2AccountData,
  getBondingCurveBucketV2AccountDataSerializer,
} from '@metaplex-foundation/genesis'
import { mplToolbox } from '@metaplex-foundation/mpl-toolbox'
import { type PublicKey, signerIdentity } from '@metaplex-foundation/umi'
import { createUmi } from '@metaplex-foundation/umi-bundle-defaults'
import { assetSignerAddress, associatedTokenAddress } from '@slipway/launch-model/addresses'
import {
  GENESIS_FEE_WALLET,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_NATIVE_MINT,
} from '@slipway/launch-model/programs'
import type { Order } from '@slipway/launch-model/trade/trade'
import { CONDITIONS } from '@slipway/local-chain/conditions'
import type { ChainAccount as LedgerAccount } from '@slipway/local-chain/ledger/account'
import { createKeypair, type Keypair } from '@slipway/local-chain/ledger/keypair'
import { parseTransaction } from '@slipway/local-chain/ledger/parse-transaction'
import { decodeTokenAccount } from '@slipway/local-chain/ledger/token-balances'
import { core } from '@slipway/local-chain/programs/core/core'
import { genesis } from '@slipway/local-chain/programs/genesis/genesis'
import { identity } from '@slipway/local-chain/programs/identity/identity'
import { raydiumPrograms } from '@slipway/local-chain/programs/raydium/raydium'
import { buildMadeLaunch } from '@slipway/local-chain/testing/made-launch'
import { createManualChain } from '@slipway/local-chain/testing/start-chain'
import { buildTokenAccount } from '@slipway/local-chain/testing/token-accounts'
import { asAddress, mintAsset, mintCollection, signer } from '@slipway/local-chain/testing/umi-wallet'
import type { LaunchTerms } from '@slipway/local-chain/world/plan-launch'
import type { Address } from '@slipway/schema/address'
import { ServiceError } from '@slipway/schema/errors'
import { VersionedTransaction, Keypair as WalletKey } from '@solana/web3.js'
import type { AccountReader } from '../../chain/account-reader.ts'
import { quoteTrade } from './build-quote.ts'
import { createMarkets } from './markets.ts'
import { buildSwap, type SwapRequest } from './swap.ts'

export const SOL = 1_000_000_000n
/** Unix seconds at which the chain begins. */
const BEGINNING = 1_000_000_000

/** A chain in this process, with stand-ins and a clock that tests move, and the service's calls on it. */
export function startTestMarket({ programs = new Map<Address, Uint8Array>() } = {}) {
  const standIns = [core, identity, genesis, ...raydiumPrograms].filter(
    ({ address }) => !programs.has(address),
  )
  const { chain, advance, advanceTo } = createManualChain({ standIns, programs })
  const rent = chain.vm.rentExemptMinimum
  const tokenAccount = (owner: Address, mint: Address = WRAPPED_NATIVE_MINT) =>
    associatedTokenAddress(mint, owner, TOKEN_PROGRAM)
  const hold = (owner: Address, amount: bigint, mint: Address = WRAPPED_NATIVE_MINT) =>
    chain.writeAccounts(new Map([[tokenAccount(owner, mint), buildTokenAccount(mint, owner, amount, rent)]]))
  hold(GENESIS_FEE_WALLET, 0n)

  let reads = 0
  const reader: AccountReader = {
    async fetchAccounts(addresses) {
      reads += 1
      return {
        slot: chain.clock.slot(),
        accounts: addresses.map(address => {
          const account = chain.account(address)
          return account ? { exists: true, address, ...account } : { exists: false, address }
        }),
      }
    },
  }
  const markets = createMarkets(reader, 'mainnet', { slotMs: () => 400 })
  const latest = async () => {
    const slot = chain.clock.slot()
    return { blockhash: chain.clock.blockhash(slot), lastValidBlockHeight: slot + 150 }
  }
  const parts = {
    markets,
    rpc: {
      async simulate(transaction: string) {
        const { err, logs } = chain.simulate(parseTransaction(Buffer.from(transaction, 'base64')))
        return { err, logs }
      },
      slotMsMost: () => CONDITIONS.slotMs,
      async confirmCluster() {},
      confirmMissing: async (missing: readonly Address[]) => ({ missing: [...missing], found: [], slot: 1 }),
    },
    isKnown: async () => false,
    blockhash: { latest, latestFor: latest },
  }

  return {
    chain,
    reader,
    /** How often the chain was read. */
    reads: () => reads,
    advance,
    advanceTo,
    hold,
    parts,
    rent,
    tokenAccount,
    lamports: (address: Address): bigint => chain.account(address)?.lamports ?? 0n,
    /** What a token account holds; undefined if there is none. */
    tokens: (owner: Address, mint?: Address) =>
      decodeTokenAccount(chain.account(tokenAccount(owner, mint)))?.amount,

    /** A new key with funds. */
    wallet(lamports = 100n * SOL): Keypair {
      const key = createKeypair()
      if (lamports > 0n) chain.mint(key.address, lamports)
      return key
    },

    /** An agent of this wallet, with funds in its own wallet. */
    async makeAgent(owner: Address, { lamports = 10n * SOL, inCollection = false } = {}) {
      const umi = createUmi('http://127.0.0.1:1').use(mplToolbox())
      umi.use(signerIdentity(signer(umi)))
      chain.mint(asAddress(umi.payer.publicKey), SOL)
      const collection = inCollection ? await mintCollection({ chain }, umi) : undefined
      const asset = await mintAsset({ chain }, umi, {
        owner: owner as string as PublicKey,
        ...(collection && { collection }),
      })
      const address = asAddress(asset)
      const wallet = assetSignerAddress(address)
      if (lamports > 0n) chain.mint(wallet, lamports)
      return { address, wallet }
    },

    /** A curve with a creator fee that has taken in 20 SOL. */
    makeCurve(terms: Partial<LaunchTerms> = {}, { token2022 = false } = {}) {
      const { made, accounts } = buildMadeLaunch({
        mechanic: 'bondingCurveV2',
        at: BEGINNING,
        startTime: BEGINNING,
        depositedLamports: 20n * SOL,
        creatorWallet: createKeypair().address,
        amm: { accrued: 0n, claimed: 0n },
        ...terms,
      })
      chain.writeAccounts(accounts)
      chain.mint(made.maker.address, 10n * SOL)
      if (token2022) {
        // Genesis creates no such tokens: the mint and the launch's tokens change their program.
        const owner = TOKEN_2022_PROGRAM
        const from = tokenAccount(made.genesis, made.mint)
        const held = chain.account(from) as LedgerAccount
        const mint = chain.account(made.mint) as LedgerAccount
        chain.writeAccounts(
          new Map([
            [made.mint, { ...mint, owner }],
            [associatedTokenAddress(made.mint, made.genesis, owner), { ...held, owner }],
          ]),
        )
      }
      return made
    },

    /** Writes other numbers into a curve. */
    changeCurve(
      curve: Address,
      change: (curve: BondingCurveBucketV2AccountData) => Partial<BondingCurveBucketV2AccountData>,
    ) {
      const serializer = getBondingCurveBucketV2AccountDataSerializer()
      this.changeAccount(curve, account => {
        const [decoded] = serializer.deserialize(account.data)
        return { ...account, data: serializer.serialize({ ...decoded, ...change(decoded) }) }
      })
    },
    changeAccount(address: Address, change: (account: LedgerAccount) => LedgerAccount) {
      const account = chain.account(address)
      if (!account) throw new Error(`there is no account at ${address}`)
      chain.writeAccounts(new Map([[address, change(account)]]))
    },

    quote: async (launch: Address, order: Order, more: Partial<SwapRequest> = {}) =>
      quoteTrade(await markets.read(launch, () => []), order, more).quote,
    build: (launch: Address, order: Order, more: Partial<SwapRequest> & { wallet: Address }) =>
      buildSwap(parts, { ...order, genesis: launch, priorityFee: 0n, ...more }),

    /** Signs and sends a transaction in a slot of its own. */
    land(transaction: string, ...signers: Keypair[]) {
      const signed = VersionedTransaction.deserialize(Buffer.from(transaction, 'base64'))
      signed.sign(signers.map(({ secretKey }) => WalletKey.fromSecretKey(secretKey)))
      const { err, logs, unitsConsumed } = chain.submit(parseTransaction(signed.serialize()))
      advance(1)
      return { err, logs, units: Number(unitsConsumed), bytes: signed.serialize().length }
    },
  }
}
export type TestMarket = ReturnType<typeof startTestMarket>

export const buy = (amount: bigint, mode: Order['mode'] = 'in'): Order => ({ side: 'buy', mode, amount })
export const sell = (amount: bigint, mode: Order['mode'] = 'in'): Order => ({ side: 'sell', mode, amount })

/** The effects that a transaction must have if it does what was quoted. */
export function tradeOf({ side, amountIn, amountOut, fees }: Quote) {
  const [quoteAmount, baseAmount] = side === 'buy' ? [amountIn, amountOut] : [amountOut, amountIn]
  return {
    kind: side,
    baseAmount: BigInt(baseAmount),
    quoteAmount: BigInt(quoteAmount),
    protocolFee: BigInt(fees.protocol),
  }
}
type Quote = Awaited<ReturnType<typeof buildSwap>>['quote']

/** Why a transaction was not built. */
export async function refusalOf(built: Promise<unknown>): Promise<ServiceError> {
  try {
    await built
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
  throw new Error('the transaction was built')
}
