import type { Address } from '@slipway/schema/address'
import type { ClaimResult, CreatorRewards } from '@slipway/schema/creator-rewards'

/** The start of a transaction, for the example responses. */
const TRANSACTION =
  'AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAIABAAgN…'
const QUOTE_MINT = 'So11111111111111111111111111111111111111112' as Address
const LAUNCH = 'FfRoem2QSNzGXctC4bEf9JXXg4fN7HqbEFomB3rYtJuw' as Address

export const EXAMPLE_CLAIM: ClaimResult = {
  transactions: [TRANSACTION, TRANSACTION],
  blockhash: {
    blockhash: 'EkSnNWid2cvwEVnVx9aBqawnmiCNiDgp3gUdkDPTKN1N',
    lastValidBlockHeight: 312_448_771,
  },
}

export const EXAMPLE_REWARDS: CreatorRewards = {
  wallet: 'HqbEFomB3rYtJuwFfRoem2QSNzGXctC4bEf9JXXg4fN7' as Address,
  buckets: [
    {
      address: '8Yv9Z1kJc3cQ6bqgF2dVvPzv1kxhQ8mFvYw3oZpT7y4H' as Address,
      kind: 'bondingCurveV2',
      genesisAddress: LAUNCH,
      quoteMint: QUOTE_MINT,
      accrued: '900000000',
      claimed: '0',
      uncollected: '0',
      claimable: '900000000',
    },
    {
      address: 'BSBkEGZfkitKTHVaC8VvCJ37Fj5r7XjssBeesic6mjwZ' as Address,
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
