import { GRADUATION_BYTES, graduateCall, POOL_FEE_LAMPORTS } from '@slipway/launch-model/calls/graduate'
import { graduationTriggers, refuseGraduation } from '@slipway/launch-model/end-of-sale'
import { planTrigger, type StepGroup } from '@slipway/launch-model/plan-deposit'
import { type RaydiumEnvironment, RENT_SYSVAR } from '@slipway/launch-model/programs'
import type { Address } from '@slipway/schema/address'
import { decodeRent } from '../../chain/accounts/rent.ts'
import type { BuilderParts } from '../trading/swap.ts'
import { finish, openBuilder } from './builder.ts'
import { refusal } from './refuse.ts'

export interface GraduateRequest {
  genesis: Address
  payer: Address
  priorityFee: bigint
}

/** Not measured, because no public binary of Raydium creates such pools. A transaction may use 1,400,000 at most. */
const GRADUATE_UNITS = 1_000_000

/** Builds the transactions that create the pool of a launch that has ended, with the triggers that must run first. */
export async function buildGraduation(
  parts: BuilderParts,
  environment: RaydiumEnvironment,
  { genesis, payer, priorityFee }: GraduateRequest,
) {
  const opened = await openBuilder(parts, { genesis, wallet: payer, priorityFee }, ['graduate'])
  const { reading, standing, stake, funds, recent } = opened
  const { shape, others } = reading
  const bucket = standing.buckets.find(one => one.kind === 'raydiumCpmmV2')
  if (stake.permissions.graduate || !bucket) throw refusal(stake.permissions.graduate ?? 'NO_POOL')
  if (bucket.extensions.backendSigner) throw refusal('NEEDS_OPERATOR')
  const fault = refuseGraduation(standing, bucket)
  if (fault) throw refusal(fault)
  const call = graduateCall({
    genesis,
    bucket: bucket.address,
    tokens: shape,
    environment,
    paysCreator: bucket.creatorFee !== undefined,
    payer,
  })
  const groups: StepGroup[] = [
    ...graduationTriggers(standing, bucket).map(trigger => planTrigger(funds, trigger)),
    { units: GRADUATE_UNITS, steps: [{ call, byAgent: false }] },
  ]
  const rentFor = decodeRent(others.get(RENT_SYSVAR))
  const rent = GRADUATION_BYTES.reduce((sum, bytes) => sum + rentFor(bytes), 0n)
  const keptRent = POOL_FEE_LAMPORTS + rent
  const { transactions, cost } = await finish(parts, { reading, funds, recent }, groups, { keptRent })
  return {
    transactions,
    blockhash: recent,
    cost: {
      pool: `${POOL_FEE_LAMPORTS}`,
      rent: `${rent}`,
      fees: `${cost - keptRent}`,
      total: `${cost}`,
    },
    quoteDecimals: shape.quote.decimals,
    baseDecimals: shape.base.decimals,
  }
}
