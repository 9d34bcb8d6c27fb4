import { addressBytes } from '@slipway/launch-model/bytes/base58'
import { isOnCurve } from '@slipway/launch-model/bytes/program-address'
import { AddressString } from '@slipway/schema/address'
import { EXAMPLE_ADDRESSES } from '@slipway/schema/example-addresses'
import { BuiltLaunchClaim } from '@slipway/schema/position'
import { z } from 'zod'
import { tellCosts } from '../chain/transactions/payer-costs.ts'
import { defineEndpoint, type Endpoint } from '../endpoint/endpoint.ts'
import { buildLaunchClaim } from './deposits/claim.ts'
import { DEPOSIT_REFUSALS } from './deposits/refuse.ts'
import { describePayment, describeTokens } from './describe-effect.ts'
import { EXAMPLE_LAUNCH_CLAIM } from './examples.ts'
import { type BuilderSources, findBuilder } from './find-builder.ts'
import { LaunchParams } from './launch-params.ts'
import { onePayer, TRADER_INPUT } from './trader-input.ts'

const ClaimBody = z
  .object({
    wallet: AddressString.meta({
      description: "The wallet that is paid. With `agent`, the agent's owner; the agent's wallet is paid.",
    }),
    unwrap: z.boolean().default(false).meta({
      description:
        'Whether a refund arrives as SOL instead of wrapped SOL. `wallet` must then sign too; false by default.',
    }),
    ...TRADER_INPUT,
    payer: AddressString.optional().meta({
      description:
        'The wallet that signs, and pays fees and rent. It can be anyone, and defaults to `wallet`.',
    }),
  })
  .refine(onePayer.check, onePayer.fault)
  .refine(({ wallet, unwrap }) => !unwrap || isOnCurve(addressBytes(wallet)), {
    path: ['unwrap'],
    error: 'must not be true for a wallet that no key can sign for',
  })
  .meta({ examples: [{ wallet: EXAMPLE_ADDRESSES.owner }] })

function describeClaim(sent: Record<string, unknown>, built: z.infer<typeof BuiltLaunchClaim>): string {
  const { wallet, agent, payer = wallet, unwrap, genesisAddress } = sent
  const { tokens, quote } = built.receives
  const paid = [
    ...(tokens === '0' ? [] : [describeTokens(tokens, built)]),
    ...(quote === '0' ? [] : [describePayment(quote, built)]),
  ]
  const receiver = agent === undefined ? wallet : `the wallet of agent ${agent}`
  const effect =
    paid.length === 0
      ? `Starts the schedule by which launch ${genesisAddress} pays ${receiver}; nothing arrives yet.`
      : `Launch ${genesisAddress} pays ${receiver} ${paid.join(' and ')}.`
  const signers = `${payer} signs.${unwrap && payer !== wallet ? ` ${wallet} signs too.` : ''}`
  return `${effect} ${signers} ${tellCosts(payer, built.costs)}`
}

export function claimFromLaunchEndpoint(sources: BuilderSources): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path: '/v1/launches/{genesisAddress}/claim',
    id: 'claimFromLaunch',
    clientCall: 'launches.claim',
    tool: {
      name: 'claim',
      description:
        'Builds the unsigned transactions that pay a wallet everything that a launch owes it now: tokens, proceeds, or the refund of a launch that has missed its goal. A refund arrives as wrapped SOL unless `unwrap` is set. If they only start a claim schedule, `receives` is zero, and `nextClaim` says when to come back.',
      effect: (sent, built) => describeClaim(sent, built as z.infer<typeof BuiltLaunchClaim>),
    },
    tag: 'Launches',
    summary: 'Claim from a launch',
    description: `Builds the unsigned transactions that pay a wallet everything that a launch owes it now: the tokens of a launch pool, a presale or an unlocked bucket, the proceeds of its sale, or the refund of a launch that has missed its goal.

- \`payer\` [signs and submits](#tag/sign-and-submit) them in order. Anyone can be the payer, and everything goes to \`wallet\`.
- If the launch is priced in SOL, a refund arrives as wrapped SOL. With \`unwrap\`, it arrives as SOL, and \`wallet\` signs too. Proceeds always arrive as SOL.
- Some payouts need a trigger first: an instruction that records on the chain that a time has come, such as the end of the sale. The transactions include every trigger that is needed and has not been sent. If they only start a claim schedule, \`receives\` is zero, and \`nextClaim\` says when to come back.
- If nothing is owed, the response is 400 \`Nothing to claim\`, and its details say when more is released, if that is known.
- If the tokens can be claimed only after graduation, the response is 409 \`This launch has ended and has not graduated yet\`. Anyone can graduate the launch, with \`POST /v1/launches/{genesisAddress}/graduate\`.`,
    params: LaunchParams,
    body: ClaimBody,
    faults: { genesisAddress: 'LAUNCH_NOT_FOUND' },
    reportsDetails: true,
    success: {
      description: 'The transactions in base64, their blockhash, and what arrives.',
      schema: BuiltLaunchClaim,
      example: EXAMPLE_LAUNCH_CLAIM,
    },
    errors: [
      'INVALID_INPUT',
      'PAYER_LIMIT',
      'LAUNCH_NOT_FOUND',
      'AGENT_NOT_FOUND',
      'NOT_AUTHORIZED',
      'NOTHING_TO_CLAIM',
      'CLAIMS_NOT_STARTED',
      'NOT_GRADUATED',
      'NOT_ENDED',
      ...DEPOSIT_REFUSALS,
    ],
    unexpected: 'PREPARE_FAILED',
    async answer({ params: { genesisAddress: genesis }, body: { network, priorityFee, ...request } }) {
      const parts = findBuilder(sources, network, genesis)
      const built = await buildLaunchClaim(parts, { ...request, genesis, priorityFee: BigInt(priorityFee) })
      return { kind: 'json', value: { success: true, ...built } }
    },
  })
}
