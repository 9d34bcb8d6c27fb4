import { formatExactly } from './format.ts'

export const NATIVE_DECIMALS = 9
/** What every signature on a transaction costs. */
export const FEE_LAMPORTS = 5_000

export const toSol = (lamports: bigint): string => `${formatExactly(lamports, NATIVE_DECIMALS)} SOL`
