import { AddressString } from '@slipway/schema/address'
import { EXAMPLE_ADDRESSES } from '@slipway/schema/example-addresses'
import { NetworkInput } from '@slipway/schema/network'
import { NETWORK_TABLE } from '@slipway/schema/network-table'
import { BuiltGraduation } from '@slipway/schema/position'
import { PayerMax } from '@slipway/schema/trade'
import { z } from 'zod'
import { defineEndpoint, type Endpoint } from '../endpoint/endpoint.ts'
import { buildGraduation } from './deposits/graduate.ts'
import { DEPOSIT_REFUSALS } from './deposits/refuse.ts'
import { EXAMPLE_GRADUATION } from './examples.ts'
import { type BuilderSources, findBuilder } from './find-builder.ts'
import { LaunchParams } from './launch-params.ts'
import { PriorityFee } from './trader-input.ts'

const GraduateBody = z
  .object({
    payer: AddressString.meta({ description: 'The wallet that signs and pays everything.' }),
    payerMax: PayerMax,
    priorityFee: PriorityFee,
    network: NetworkInput,
  })
  .meta({ examples: [{ payer: EXAMPLE_ADDRESSES.owner }] })

export function graduateLaunchEndpoint(sources: BuilderSources): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path: '/v1/launches/{genesisAddress}/graduate',
    id: 'graduateLaunch',
    clientCall: 'launches.graduate',
    tag: 'Launches',
    summary: 'Graduate a launch',
    description: `Builds the unsigned transactions that graduate a launch that has ended: they create the pool in which its token then trades. Anyone can send them. \`payer\` [signs and submits](#tag/sign-and-submit) them in order, and pays \`cost\`, most of which is Raydium's fee for a new pool.

- Triggers, which record on the chain that the sale has ended and send its proceeds, come first if they have not been sent.
- A launch that has missed its goal doesn't graduate: its deposits are refunded.`,
    params: LaunchParams,
    body: GraduateBody,
    faults: { genesisAddress: 'LAUNCH_NOT_FOUND' },
    reportsDetails: true,
    success: {
      description: 'The transactions in base64, their blockhash, and what they cost.',
      schema: BuiltGraduation,
      example: EXAMPLE_GRADUATION,
    },
    errors: [
      'INVALID_INPUT',
      'PAYER_LIMIT',
      'LAUNCH_NOT_FOUND',
      'NOT_ENDED',
      'GRADUATED',
      'NO_POOL',
      ...DEPOSIT_REFUSALS,
    ],
    unexpected: 'PREPARE_FAILED',
    async answer({ params: { genesisAddress: genesis }, body: { network, priorityFee, ...request } }) {
      const parts = findBuilder(sources, network, genesis)
      const environment = NETWORK_TABLE[network].cluster
      const built = await buildGraduation(parts, environment, {
        ...request,
        genesis,
        priorityFee: BigInt(priorityFee),
      })
      return { kind: 'json', value: { success: true, ...built } }
    },
  })
}
