import type { Address } from '@slipway/client'
import {
  bucketSignerAddress,
  identityAddress,
  raydiumSignerAddress,
  tokenAccountAddress,
  tokenMetadataAddress,
} from '../addresses.ts'
import type { ExpectedAccount } from '../expect-instruction.ts'
import {
  ASSOCIATED_TOKEN_PROGRAM,
  GENESIS_FEE_WALLET,
  GENESIS_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_METADATA_PROGRAM,
  TOKEN_PROGRAM,
} from '../programs.ts'

export interface LaunchAddresses {
  wallet: Address
  /** The wallet, or the wallet of the agent that creates the launch. */
  authority: Address
  genesis: Address
  mint: Address
  quoteMint: Address
  quoteTokenProgram: Address
}

/** The accounts of a launch's instructions, in order. All of them follow from the addresses above. */
export function createExpectedAccounts(addresses: LaunchAddresses) {
  const { wallet, authority, genesis, mint, quoteMint, quoteTokenProgram } = addresses
  const quoteTokens = (owner: Address) => tokenAccountAddress(quoteMint, owner, quoteTokenProgram)
  const baseTokens = (owner: Address) => tokenAccountAddress(mint, owner, TOKEN_PROGRAM)
  const launch: ExpectedAccount = ['the launch', genesis]
  const newToken: ExpectedAccount = ['the new token', mint]
  const quoteToken: ExpectedAccount = ['the token that is paid with', quoteMint]
  const payer: ExpectedAccount = ['the payer', wallet]
  // An account that is left out is written as the program itself. The payer then is the authority.
  const optionalAuthority: ExpectedAccount = [
    'the authority',
    authority === wallet ? GENESIS_PROGRAM : authority,
  ]
  const tokenProgram: ExpectedAccount = ['the token program', TOKEN_PROGRAM]
  const quoteProgram: ExpectedAccount = ['the token program of the payments', quoteTokenProgram]
  const accountProgram: ExpectedAccount = ['the program of token accounts', ASSOCIATED_TOKEN_PROGRAM]
  const system: ExpectedAccount = ['the system program', SYSTEM_PROGRAM]
  const programs = [quoteProgram, accountProgram, system]

  const newBucket = async (bucket: Address): Promise<ExpectedAccount[]> => [
    launch,
    ['the bucket', bucket],
    newToken,
    quoteToken,
    ['the bucket’s token account', await quoteTokens(bucket)],
    payer,
    optionalAuthority,
  ]
  const changedBucket = (bucket: Address): ExpectedAccount[] => [
    launch,
    ['the bucket', bucket],
    payer,
    optionalAuthority,
  ]
  return {
    quoteTokens,
    changedBucket,

    initialize: async (): Promise<ExpectedAccount[]> => [
      launch,
      newToken,
      quoteToken,
      ['the launch’s token account', await baseTokens(genesis)],
      ['the launch’s account for payments', await quoteTokens(genesis)],
      payer,
      optionalAuthority,
      ['the token’s metadata', await tokenMetadataAddress(mint)],
      ['the fee wallet', GENESIS_FEE_WALLET],
      ['the fee account', await quoteTokens(GENESIS_FEE_WALLET)],
      ['the authority’s token account', await baseTokens(authority)],
      tokenProgram,
      quoteProgram,
      accountProgram,
      ['the metadata program', TOKEN_METADATA_PROGRAM],
      system,
    ],

    primary: async (bucket: Address): Promise<ExpectedAccount[]> => [
      ...(await newBucket(bucket)),
      ...programs,
    ],

    /** `buyer` is undefined if there is no first buy. */
    curveExtensions: (bucket: Address, buyer: Address | undefined): ExpectedAccount[] => [
      ...changedBucket(bucket),
      ['the first buyer', buyer ?? GENESIS_PROGRAM],
    ],

    proceeds: (bucket: Address): ExpectedAccount[] => [...changedBucket(bucket), system],

    part: async (bucket: Address, recipient: Address): Promise<ExpectedAccount[]> => [
      ...(await newBucket(bucket)),
      ['the recipient', recipient],
      ...programs,
    ],

    async pool(bucket: Address): Promise<ExpectedAccount[]> {
      const bucketSigner = await bucketSignerAddress(bucket)
      return [
        launch,
        ['the bucket', bucket],
        ['the bucket’s signer', bucketSigner],
        newToken,
        quoteToken,
        ['the pool’s creator', await raydiumSignerAddress()],
        ['the bucket’s token account', await quoteTokens(bucketSigner)],
        payer,
        optionalAuthority,
        tokenProgram,
        ...programs,
      ]
    },

    finalize: (buckets: readonly Address[]): ExpectedAccount[] => [
      launch,
      newToken,
      ['the authority', authority],
      ...buckets.map((bucket): ExpectedAccount => ['a bucket', bucket]),
    ],

    agentToken: async (agent: Address): Promise<ExpectedAccount[]> => [
      ['the agent’s identity', await identityAddress(agent)],
      ['the agent', agent],
      launch,
      payer,
      ['the agent’s wallet', authority],
      system,
    ],

    async firstBuy(curve: Address, buyer: Address): Promise<ExpectedAccount[]> {
      const otherBuyer = buyer === wallet ? GENESIS_PROGRAM : buyer
      return [
        launch,
        ['the bonding curve', curve],
        newToken,
        quoteToken,
        ['the launch’s token account', await baseTokens(genesis)],
        ['the buyer’s token account', await baseTokens(buyer)],
        ['the buyer’s account for payments', await quoteTokens(buyer)],
        ['the bonding curve’s token account', await quoteTokens(curve)],
        payer,
        ['the buyer', otherBuyer],
        ['the buyer', otherBuyer],
        ['the backend', GENESIS_PROGRAM],
        ['the fee account', await quoteTokens(GENESIS_FEE_WALLET)],
        tokenProgram,
        ...programs,
      ]
    },
  }
}
