import { CreatedLaunch, CreateLaunchBody } from '@slipway/schema/create-launch'
import { defineEndpoint, type Endpoint } from '../endpoint/endpoint.ts'
import { type CreateParts, createLaunch } from './creation/create-launch.ts'
import { EXAMPLE_CREATED } from './examples.ts'

export function createLaunchEndpoint(parts: CreateParts): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path: '/v1/launches/create',
    id: 'createLaunch',
    clientCall: 'launches.create',
    tool: {
      name: 'create_launch',
      description:
        'Builds the transactions that create a token, its buckets and its launch, and finalize it. What you could not correct later is checked first. `wallet` signs and submits them in order, each after the one before is confirmed; then call register_launch. If the blockhash expires halfway, call again with the same arguments and the `genesisAccount` of the first answer.',
      rest: 'After these are confirmed, call again with `genesisAccount` for the rest.',
      effect: ({ wallet }, { genesisAccount, mintAddress }) =>
        `Creates token ${mintAddress} and launch ${genesisAccount}. ${wallet} signs and pays. Submit the transactions in order, each after the one before is confirmed; then call register_launch.`,
    },
    tag: 'Launches',
    summary: 'Create a launch',
    description: `Builds the transactions that create a token, its buckets and its launch, and finalize it.

1. Call this endpoint. It checks what the program doesn't check and you couldn't correct later: a 400 lists the problems in \`details\`.
2. [Sign and submit](#tag/sign-and-submit) the transactions with \`wallet\`, in order, each after the one before is confirmed.
3. Call \`POST /v1/launches/register\`, so that the launch is listed.

If the blockhash expires halfway, call again with the same body and the \`genesisAccount\` of the first response. You get only the transactions that are left.

- With \`agent\`, everything runs inside the agent's \`execute\`.
- Without \`mint\`, the first transaction already carries the signature of a fresh key for the new token. The service then drops that key.
- The token's document is hosted here under its SHA-256.`,
    body: CreateLaunchBody,
    faults: {
      body: 'VALIDATION_FAILED',
      wallet: 'VALIDATION_FAILED',
      launch: 'VALIDATION_FAILED',
      'launch.type': 'UNSUPPORTED_LAUNCH_TYPE',
      'launch.allocations.*.type': 'UNSUPPORTED_ALLOCATION_TYPE',
      agent: 'VALIDATION_FAILED',
      mint: 'VALIDATION_FAILED',
      genesisAccount: 'VALIDATION_FAILED',
    },
    reportsDetails: true,
    success: {
      description:
        'The transactions, the blockhash of all of them, and the addresses of the token and the launch.',
      schema: CreatedLaunch,
      example: EXAMPLE_CREATED,
    },
    errors: [
      'GENESIS_NOT_FOUND',
      'NOT_AUTHORIZED',
      'TOO_MANY_PENDING',
      'TOO_MANY_DOCUMENTS',
      'PUBLIC_URL_MISSING',
      'DOCUMENTS_FULL',
    ],
    unexpected: 'CREATE_FAILED',
    async answer({ body, client }) {
      return { kind: 'json', value: { success: true, ...(await createLaunch(parts, body, client)) } }
    },
  })
}
