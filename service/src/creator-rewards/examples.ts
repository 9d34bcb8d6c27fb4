import type { Address } from '@slipway/schema/address'
import type { ClaimResult, CreatorRewards } from '@slipway/schema/creator-rewards'
import { EXAMPLE_ADDRESSES } from '@slipway/schema/example-addresses'

/** The start of a transaction, for the example responses. */
const TRANSACTION =
  'AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAIABAAgN…'
const QUOTE_MINT = 'So11111111111111111111111111111111111111112' as Address
const LAUNCH = EXAMPLE_ADDRESSES.launch

export const EXAMPLE_CLAIM: ClaimResult = {
  transactions: [TRANSACTION, TRANSACTION],
  blockhash: {
    blockhash: 'EkSnNWid2cvwEVnVx9aBqawnmiCNiDgp3gUdkDPTKN1N',
    lastValidBlockHeight: 312_448_771,
  },
  costs: {
    payer: {
      fees: '10000',
      rentsMax: '5953760',
      rentsNow: '1488440',
      rentsGoTo: [EXAMPLE_ADDRESSES.creator],
    },
  },
}

export const EXAMPLE_REWARDS: CreatorRewards = {
  wallet: EXAMPLE_ADDRESSES.creator,
  buckets: [
    {
      address: '4YEJ7D5G6Y9x5hqpvqAQj7gaCKLtK7VMJEspBEeF57VP' as Address,
      kind: 'bondingCurveV2',
      genesisAddress: LAUNCH,
      quoteMint: QUOTE_MINT,
      accrued: '900000000',
      claimed: '0',
      uncollected: '0',
      claimable: '900000000',
    },
    {
      address: 'BZ4Qxrw8t7um7y221Yy8dR9r2xB2wNYVwXUUqioD8He1' as Address,
      kind: 'raydiumCpmmV2',
      genesisAddress: LAUNCH,
      quoteMint: QUOTE_MINT,
      accrued: '310000000',
      claimed: '110000000',
      uncollected: '75000000',
      claimable: '275000000',
    },
  ],
  totals: [
    {
      quoteMint: QUOTE_MINT,
      accrued: '1210000000',
      claimed: '110000000',
      uncollected: '75000000',
      claimable: '1175000000',
    },
  ],
}
