import { ServiceError } from '@slipway/schema/errors'
import { z } from 'zod'
import { defineEndpoint, type Endpoint } from '../../endpoint/endpoint.ts'
import { REGISTRY_PATH } from './registry-entry.ts'

/** Optional in the specification. */
export const exploreRegistryEndpoint = (): Endpoint =>
  defineEndpoint({
    method: 'POST',
    path: `${REGISTRY_PATH}/explore`,
    id: 'exploreRegistry',
    tag: 'Discovery',
    summary: 'Count entries by their fields',
    description: 'This registry does not count its entries, and always answers 501.',
    faults: {},
    success: { description: 'Never.', schema: z.object({}), example: {} },
    errors: ['NOT_IMPLEMENTED'],
    answer() {
      throw new ServiceError('NOT_IMPLEMENTED')
    },
  })
