import { GRADUATE_UNITS, graduateCall, POOL_FEE_LAMPORTS } from '@slipway/launch-model/calls/graduate'
import { graduationTriggers, refuseGraduation } from '@slipway/launch-model/end-of-sale'
import { planTrigger, type StepGroup } from '@slipway/launch-model/plan-deposit'
import type { RaydiumEnvironment } from '@slipway/launch-model/programs'
import type { Address } from '@slipway/schema/address'
import type { BuilderParts } from '../trading/swap.ts'
import { finish, openBuilder } from './builder.ts'
import { refusal } from './refuse.ts'

export interface GraduateRequest {
  genesis: Address
  payer: Address
  priorityFee: bigint
  payerMax?: bigint | undefined
}

/** Builds the transactions that create the pool of a launch that has ended, with the triggers that must run first. */
export async function buildGraduation(
  parts: BuilderParts,
  environment: RaydiumEnvironment,
  { genesis, payer, ...limits }: GraduateRequest,
) {
  const opened = await openBuilder(parts, { genesis, wallet: payer, ...limits }, ['graduate'])
  const { reading, position, funds, recent } = opened
  const { shape } = reading
  const bucket = position.buckets.find(one => one.kind === 'raydiumCpmmV2')
  if (position.refusals.graduate || !bucket) throw refusal(position.refusals.graduate ?? 'NO_POOL')
  if (bucket.extensions.backendSigner) throw refusal('NEEDS_OPERATOR')
  const fault = refuseGraduation(position, bucket)
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
    ...graduationTriggers(position, bucket).map(trigger => planTrigger(funds, trigger)),
    { units: GRADUATE_UNITS, steps: [{ call, byAgent: false }] },
  ]
  const { transactions, costs, cost } = await finish(parts, { reading, funds, recent }, groups, {})
  const rent = BigInt(costs.payer.rentsNow)
  return {
    transactions,
    blockhash: recent,
    costs,
    cost: {
      pool: `${POOL_FEE_LAMPORTS}`,
      rent: `${rent}`,
      fees: `${cost - rent - POOL_FEE_LAMPORTS}`,
      total: `${cost}`,
    },
    quoteDecimals: shape.quote.decimals,
    baseDecimals: shape.base.decimals,
  }
}
