import { type CreatorFee, type CreatorFeeInitArgs, FeeDiscriminants } from '@metaplex-foundation/genesis'
import { genesisError } from '../errors.ts'

/** The program sets the rate, 0.6 %; the authority of a launch chooses only the wallet. */
export const CREATOR_FEE_BPS = 60n
const NO_WALLET = '11111111111111111111111111111111'

export function createCreatorFee({ wallet }: CreatorFeeInitArgs): CreatorFee {
  if (wallet === NO_WALLET) throw genesisError('InvalidCreatorFeeConfig')
  return { wallet, feeType: FeeDiscriminants.BasisPoints, padding: Array(7).fill(0), fee: CREATOR_FEE_BPS }
}
