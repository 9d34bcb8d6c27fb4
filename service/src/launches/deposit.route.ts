import { AddressString } from '@slipway/schema/address'
import { EXAMPLE_ADDRESSES } from '@slipway/schema/example-addresses'
import { BuiltDeposit } from '@slipway/schema/position'
import { UnitAmount } from '@slipway/schema/trade'
import { z } from 'zod'
import { tellCosts } from '../chain/transactions/payer-costs.ts'
import { defineEndpoint, type Endpoint } from '../endpoint/endpoint.ts'
import { buildDeposit } from './deposits/deposit.ts'
import { DEPOSIT_REFUSALS } from './deposits/refuse.ts'
import { describePayment, describeSigners, describeTrader } from './describe-effect.ts'
import { EXAMPLE_DEPOSIT } from './examples.ts'
import { type BuilderSources, findBuilder } from './find-builder.ts'
import { LaunchParams } from './launch-params.ts'
import { onePayer, TRADER_INPUT } from './trader-input.ts'

const DepositBody = z
  .object({
    wallet: AddressString.meta({
      description: "The wallet that deposits and signs. With `agent`, the agent's owner.",
    }),
    amount: UnitAmount.meta({
      ...UnitAmount.meta(),
      description:
        "How much to deposit, in the quote token's smallest unit. It includes the fee, but not a penalty.",
    }),
    maxCost: UnitAmount.optional().meta({
      description:
        'The most that you want to pay, including a penalty. A deposit that costs more is refused. If a penalty makes it cost more later, the transaction fails.',
    }),
    ...TRADER_INPUT,
  })
  .refine(onePayer.check, onePayer.fault)
  .meta({ examples: [{ wallet: EXAMPLE_ADDRESSES.owner, amount: '1000000000' }] })

function describeDeposit(sent: Record<string, unknown>, built: z.infer<typeof BuiltDeposit>): string {
  const { cost, partial, position } = built
  const amount = `pays ${describePayment(cost.paid, position)}, fee and penalty included, as things are now`
  return `${describeTrader(sent)} deposits in launch ${sent.genesisAddress}: it ${amount}, and ${describePayment(cost.credited, position)} of that counts.${partial ? ' The cap has no room for more.' : ''} ${describeSigners(sent)} ${tellCosts(sent.payer ?? sent.wallet, built.costs)}`
}

export function depositEndpoint(sources: BuilderSources): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path: '/v1/launches/{genesisAddress}/deposit',
    id: 'depositInLaunch',
    clientCall: 'launches.deposit',
    tool: {
      name: 'deposit',
      description:
        "Builds the unsigned transaction that deposits in a launch pool or a presale. A second deposit adds to the first. You pay SOL. The program's fee comes out of `amount`, and a penalty on top of it: `cost` says what it costs. A presale's cap can cut a deposit: then `partial` is true. What can't succeed is refused with the reason.",
      effect: (sent, built) => describeDeposit(sent, built as z.infer<typeof BuiltDeposit>),
    },
    tag: 'Launches',
    summary: 'Deposit',
    description: `Builds the unsigned transaction that deposits in a launch pool or a presale. \`wallet\` [signs and submits](#tag/sign-and-submit) it, and \`payer\` signs too if it is another wallet. A second deposit adds to the first.

- If the launch is priced in SOL, you pay SOL: the transaction wraps what it needs. An account for wrapped SOL that you already have keeps its balance. Missing token accounts are created.
- \`cost\` says what you pay. The program's fee is taken out of \`amount\`. Some launches also charge a penalty, which you pay on top of \`amount\`. Send \`maxCost\` to refuse a deposit that costs more than that. A penalty can begin or grow until the transaction lands. The transaction then fails rather than cost more than \`maxCost\`. The chain can't enforce this if the launch is priced in another token, or if someone else may spend from your account for wrapped SOL. In these cases, a deposit that could exceed \`maxCost\` is refused at once.
- If a presale's cap has room for only a part of \`amount\`, \`partial\` is true, and you pay only for that part.
- The minimum and the limit of a launch apply to the sum of a wallet's deposits, without fees.
- Slipway reads the chain and simulates the transaction before it returns it. It refuses a deposit that can't succeed, and says why.`,
    params: LaunchParams,
    body: DepositBody,
    faults: { genesisAddress: 'LAUNCH_NOT_FOUND' },
    reportsDetails: true,
    success: {
      description:
        'The transaction in base64, its blockhash, what it costs, and the position that it leads to.',
      schema: BuiltDeposit,
      example: EXAMPLE_DEPOSIT,
    },
    errors: [
      'INVALID_INPUT',
      'PAYER_LIMIT',
      'LAUNCH_NOT_FOUND',
      'AGENT_NOT_FOUND',
      'NOT_AUTHORIZED',
      'AMOUNT_TOO_SMALL',
      'DEPOSITS_NOT_STARTED',
      'DEPOSITS_ENDED',
      'BELOW_MINIMUM',
      'ABOVE_LIMIT',
      'ABOVE_DEPOSIT_LIMIT',
      'COOLDOWN',
      'CAP_REACHED',
      'ALLOW_LIST_ONLY',
      'ABOVE_MAX_COST',
      ...DEPOSIT_REFUSALS,
    ],
    unexpected: 'PREPARE_FAILED',
    async answer({ params: { genesisAddress: genesis }, body: { network, priorityFee, ...request } }) {
      const parts = findBuilder(sources, network, genesis)
      const built = await buildDeposit(parts, { ...request, genesis, priorityFee: BigInt(priorityFee) })
      return { kind: 'json', value: { success: true, ...built } }
    },
  })
}
