import { WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import { formatUnits } from '../lib/format-units.ts'

/** Parts of the sentences that tell the signer what a transaction does. */

interface LaunchTokens {
  quoteMint?: string
  quoteDecimals: number
  baseDecimals: number
}

export const describePayment = (amount: string, { quoteMint, quoteDecimals }: LaunchTokens): string =>
  `${formatUnits(BigInt(amount), quoteDecimals)} ${quoteMint === WRAPPED_NATIVE_MINT ? 'SOL' : 'of the payment token'}`

export const describeTokens = (amount: string, { baseDecimals }: LaunchTokens): string =>
  `${formatUnits(BigInt(amount), baseDecimals)} launched tokens`

interface Sent {
  wallet?: unknown
  agent?: unknown
  payer?: unknown
}

export const describeTrader = ({ wallet, agent }: Sent): string =>
  agent === undefined ? `${wallet}` : `The wallet of agent ${agent}`

export const describeSigners = ({ wallet, payer = wallet }: Sent): string =>
  payer === wallet ? `${wallet} signs.` : `${wallet} and ${payer} sign.`
