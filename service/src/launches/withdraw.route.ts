import { AddressString } from '@slipway/schema/address'
import { EXAMPLE_ADDRESSES } from '@slipway/schema/example-addresses'
import { BuiltWithdrawal, UnitAmountOrAll } from '@slipway/schema/position'
import { z } from 'zod'
import { tellCosts } from '../chain/transactions/payer-costs.ts'
import { defineEndpoint, type Endpoint } from '../endpoint/endpoint.ts'
import { DEPOSIT_REFUSALS } from './deposits/refuse.ts'
import { buildWithdrawal } from './deposits/withdraw.ts'
import { describePayment, describeSigners, describeTrader } from './describe-effect.ts'
import { EXAMPLE_WITHDRAWAL } from './examples.ts'
import { type BuilderSources, findBuilder } from './find-builder.ts'
import { LaunchParams } from './launch-params.ts'
import { onePayer, TRADER_INPUT } from './trader-input.ts'

const WithdrawBody = z
  .object({
    wallet: AddressString.meta({
      description: "The wallet that withdraws its deposit and signs. With `agent`, the agent's owner.",
    }),
    amount: UnitAmountOrAll,
    ...TRADER_INPUT,
  })
  .refine(onePayer.check, onePayer.fault)
  .meta({ examples: [{ wallet: EXAMPLE_ADDRESSES.owner, amount: 'all' }] })

function describeWithdrawal(sent: Record<string, unknown>, built: z.infer<typeof BuiltWithdrawal>): string {
  const { receives, receivesAtLeast, position } = built
  const part = sent.amount === 'all' ? 'all' : describePayment(`${sent.amount}`, position)
  const least =
    receivesAtLeast === receives
      ? ''
      : `, or at least ${describePayment(receivesAtLeast, position)} if a penalty begins or grows before it lands`
  return `${describeTrader(sent)} withdraws ${part} of its deposit in launch ${sent.genesisAddress} and receives ${describePayment(receives, position)}, after fee and penalty${least}. ${describeSigners(sent)} ${tellCosts(sent.payer ?? sent.wallet, built.costs)}`
}

export function withdrawFromLaunchEndpoint(sources: BuilderSources): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path: '/v1/launches/{genesisAddress}/withdraw',
    id: 'withdrawFromLaunch',
    clientCall: 'launches.withdraw',
    tool: {
      name: 'withdraw_deposit',
      description:
        'Builds the unsigned transaction that withdraws a deposit, or a part of it, from a launch pool that is still open. `amount` is what leaves the deposit, before fee and penalty; `receives` is what arrives, as SOL. A presale pays no deposits back.',
      effect: (sent, built) => describeWithdrawal(sent, built as z.infer<typeof BuiltWithdrawal>),
    },
    tag: 'Launches',
    summary: 'Withdraw a deposit',
    description: `Builds the unsigned transaction that withdraws a deposit, or a part of it, from a launch pool that is still open. \`wallet\` [signs and submits](#tag/sign-and-submit) it, and \`payer\` signs too if it is another wallet.

- \`amount\` is what leaves the deposit, before fee and penalty; \`receives\` is what would arrive now. If the launch is priced in SOL, it arrives as SOL.
- A penalty can begin or grow until the transaction lands. \`receivesAtLeast\` is the least that can arrive in that case.
- A withdrawal may leave less than the launch's minimum. Withdrawing everything closes the deposit, and its rent goes to the payer.
- A presale pays no deposits back.`,
    params: LaunchParams,
    body: WithdrawBody,
    faults: { genesisAddress: 'LAUNCH_NOT_FOUND' },
    reportsDetails: true,
    success: {
      description:
        'The transaction in base64, its blockhash, what arrives, and the position that it leads to.',
      schema: BuiltWithdrawal,
      example: EXAMPLE_WITHDRAWAL,
    },
    errors: [
      'INVALID_INPUT',
      'PAYER_LIMIT',
      'LAUNCH_NOT_FOUND',
      'AGENT_NOT_FOUND',
      'NOT_AUTHORIZED',
      'NOTHING_TO_WITHDRAW',
      'DEPOSITS_ENDED',
      'WITHDRAWALS_ENDED',
      'NO_WITHDRAWALS',
      ...DEPOSIT_REFUSALS,
    ],
    unexpected: 'PREPARE_FAILED',
    async answer({ params: { genesisAddress: genesis }, body: { network, priorityFee, ...request } }) {
      const parts = findBuilder(sources, network, genesis)
      const built = await buildWithdrawal(parts, { ...request, genesis, priorityFee: BigInt(priorityFee) })
      return { kind: 'json', value: { success: true, ...built } }
    },
  })
}
