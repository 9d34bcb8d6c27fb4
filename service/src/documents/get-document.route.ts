import { ServiceError } from '@slipway/schema/errors'
import { EXAMPLE_ADDRESSES } from '@slipway/schema/example-addresses'
import { z } from 'zod'
import { createSnapshot, defineEndpoint, type Endpoint } from '../endpoint/endpoint.ts'
import { DOCUMENT_PATH } from '../metadata/own-documents.ts'
import type { Database } from '../store/database.ts'
import { findHostedDocument } from '../store/hosted-documents.ts'

const EXAMPLE = {
  type: 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1',
  name: 'Patchbot',
  description:
    'Watches your continuous integration, finds the change that broke it and proposes the smallest repair.',
  registrations: [{ agentId: EXAMPLE_ADDRESSES.agent, agentRegistry: 'solana:101:metaplex' }],
}

export function getDocumentEndpoint({ database }: { database: Database }): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: DOCUMENT_PATH,
    id: 'getDocument',
    clientCall: 'documents.get',
    tag: 'Documents',
    summary: 'Get a hosted document',
    description: `The registration document of an agent that was minted here, or the document of a token whose launch was created here. Its name is the SHA-256 of its bytes, so anyone can check it.

An unused document is dropped after an hour. An agent's document is kept for as long as the chain names it, and for a week after that. A token's document is kept for good once its launch is registered; until then, it is kept for a day if the launch is on the chain.`,
    params: z.object({
      sha256: z
        .string()
        .regex(/^[\da-f]{64}$/)
        .meta({
          description: 'SHA-256 of the document, in lower-case hexadecimal.',
          examples: [EXAMPLE_ADDRESSES.document],
        }),
    }),
    faults: { sha256: 'DOCUMENT_NOT_FOUND' },
    success: {
      description: 'The document.',
      schema: z.looseObject({}).meta({ description: 'Any JSON object.' }),
      example: EXAMPLE,
      conditional: true,
    },
    errors: ['DOCUMENT_NOT_FOUND'],
    async answer({ params }) {
      const found = await findHostedDocument(database, params.sha256)
      if (!found) throw new ServiceError('DOCUMENT_NOT_FOUND')
      return {
        kind: 'prepared',
        snapshot: createSnapshot(found.body),
        cacheControl: found.isNamed ? 'public, max-age=31536000, immutable' : 'public, max-age=60',
        isUntrusted: true,
      }
    },
  })
}
