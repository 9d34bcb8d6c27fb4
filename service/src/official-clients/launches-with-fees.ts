import {
  deriveRaydiumPDAsV2,
  getBondingCurveBucketV2AccountDataSerializer,
  getGenesisAccountV2AccountDataSerializer,
  getRaydiumCpmmBucketV2AccountDataSerializer,
} from '@metaplex-foundation/genesis'
import { getTokenAccountDataSerializer } from '@metaplex-foundation/mpl-toolbox'
import type { PublicKey } from '@metaplex-foundation/umi'
import type { Serializer } from '@metaplex-foundation/umi/serializers'
import { associatedTokenAddress } from '@slipway/launch-model/addresses'
import { writeAddress } from '@slipway/launch-model/bytes/base58'
import { SYSTEM_PROGRAM, TOKEN_PROGRAM, WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import type { ChainAccount, LocalChain } from '@slipway/local-chain'
import { createKeypair } from '@slipway/local-chain/ledger/keypair'
import { blankPool, encodePoolFees } from '@slipway/local-chain/programs/genesis/pool-state'
import { buildLaunchAccounts } from '@slipway/local-chain/world/launch-accounts'
import { launchAddresses } from '@slipway/local-chain/world/launch-addresses'
import { buildMint, buildTokenAccount } from '@slipway/local-chain/world/token-accounts'
import type { Address } from '@slipway/schema/address'
import { stockUmi } from './stock-umi.ts'

type Local = Pick<LocalChain, 'chain'>
const umi = stockUmi(SYSTEM_PROGRAM)
const TOKEN_PROGRAMS_AT = [232, 264] as const

export interface TestLaunch {
  creator: Address
  curve?: { accrued: bigint; claimed: bigint }
  /**
   * `pool` and `poolBase`: the creator's fees in the pool, in quote and base token. Without `pool`, no pool exists
   * yet.
   */
  amm?: {
    accrued: bigint
    claimed: bigint
    pool?: bigint
    poolBase?: bigint
    /** The pool does not name its token programs, like those of the demo. */
    isBarePool?: boolean
  }
  quote?: { mint: Address; program: Address }
  /** An old bucket that does not name its mints. */
  withoutMints?: boolean
}

/** Writes launches with creator fees to the chain. */
export function writeLaunches({ chain }: Local, launches: readonly TestLaunch[]) {
  const { made, accounts } = buildLaunches(launches, chain.vm.rentExemptMinimum)
  chain.writeAccounts(accounts)
  return made
}

/** Builds the accounts of launches, with the quote tokens to pay out. */
export function buildLaunches(launches: readonly TestLaunch[], rent: (size: number) => bigint) {
  const accounts = new Map<Address, ChainAccount>()
  const made = launches.map(launch => {
    const { creator, curve, amm, quote = { mint: WRAPPED_NATIVE_MINT, program: TOKEN_PROGRAM } } = launch
    const mint = createKeypair().address
    const at = launchAddresses(mint, 'bondingCurveV2')
    const plan = {
      mechanic: 'bondingCurveV2',
      mint,
      authority: SYSTEM_PROGRAM,
      startTime: 0,
      endTime: 0,
      supply: 1_000_000_000_000n,
      depositedLamports: 0n,
      creatorWallet: creator,
      creatorFee: curve ?? { accrued: 0n, claimed: 0n },
      ...(amm && { amm: { ...(amm.pool !== undefined && { graduatedAt: 1 }), ...amm } }),
    } as const
    for (const [address, account] of buildLaunchAccounts(plan, rent)) accounts.set(address, account)
    accounts.set(mint, buildMint(undefined, plan.supply, 6, rent))
    const hold = (owner: Address, amount: bigint, of = quote.mint, program = quote.program) =>
      accounts.set(associatedTokenAddress(of, owner, program), {
        ...buildTokenAccount(of, owner, amount, rent),
        owner: program,
      })
    if (curve) hold(at.primary, curve.accrued - curve.claimed)
    if (amm) hold(at.ammSigner, amm.accrued - amm.claimed)
    if (amm?.pool !== undefined) writePool(amm.pool, amm.poolBase ?? 0n)
    if (launch.quote || launch.withoutMints) changeQuote()
    return { ...at, mint }

    function writePool(quoteFees: bigint, baseFees: bigint) {
      const pool = deriveRaydiumPDAsV2(umi, key(mint), key(at.amm), {
        creatorFee: true,
        env: 'mainnet',
        quoteMint: key(quote.mint),
      })
      const fees: [bigint, bigint] = pool.isProjectMintToken0 ? [baseFees, quoteFees] : [quoteFees, baseFees]
      const data = encodePoolFees(blankPool(pool.token0Mint, pool.token1Mint), ...fees)
      if (!amm?.isBarePool) {
        const [first, second] = pool.isProjectMintToken0
          ? [TOKEN_PROGRAM, quote.program]
          : [quote.program, TOKEN_PROGRAM]
        writeAddress(first, data, TOKEN_PROGRAMS_AT[0])
        writeAddress(second, data, TOKEN_PROGRAMS_AT[1])
      }
      accounts.set(at.pool, {
        lamports: rent(data.length),
        owner: plain(pool.raydiumProgram),
        data,
        executable: false,
      })
      const authority = plain(pool.poolAuthority)
      accounts.set(plain(pool.quoteVault), {
        ...buildTokenAccount(quote.mint, authority, quoteFees + 1_000n, rent),
        owner: quote.program,
      })
      accounts.set(plain(pool.baseVault), buildTokenAccount(mint, authority, baseFees + 1_000n, rent))
    }

    /** Needed because the account builder knows wrapped native currency only. */
    function changeQuote() {
      const edit = (
        address: Address,
        serializer: Serializer<never>,
        change: (value: Record<string, unknown>) => object,
      ) => {
        const account = accounts.get(address)
        if (!account) return
        const [value] = serializer.deserialize(account.data) as [Record<string, unknown>, number]
        accounts.set(address, {
          ...account,
          data: serializer.serialize({ ...value, ...change(value) } as never),
        })
      }
      const mints = launch.withoutMints ? { baseMint: null, quoteMint: null } : { quoteMint: quote.mint }
      edit(at.genesis, getGenesisAccountV2AccountDataSerializer() as never, () => ({ quoteMint: quote.mint }))
      const inBucket = ({ bucket }: Record<string, unknown>) => ({
        bucket: { ...(bucket as object), ...mints },
      })
      edit(at.primary, getBondingCurveBucketV2AccountDataSerializer() as never, inBucket)
      edit(at.amm, getRaydiumCpmmBucketV2AccountDataSerializer() as never, inBucket)
    }
  })
  return { made, accounts }
}

const key = (address: Address) => address as string as PublicKey
const plain = (address: string) => address as Address

/** The owner's balance of a token; undefined without an account. */
export function tokensOf(
  { chain }: Local,
  owner: Address,
  mint = WRAPPED_NATIVE_MINT,
  program = TOKEN_PROGRAM,
): bigint | undefined {
  const account = chain.account(associatedTokenAddress(mint, owner, program))
  return account && getTokenAccountDataSerializer().deserialize(account.data)[0].amount
}
