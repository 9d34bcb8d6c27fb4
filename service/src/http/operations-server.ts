import Fastify, { type FastifyInstance } from 'fastify'
import { mountOperations, type OperationParts } from './routing/mount-operations.ts'

/** The server for operators only, not yet listening: health, readiness with all details, and metrics. */
export function createOperationsServer(
  parts: Pick<OperationParts, 'metrics' | 'readiness'>,
): FastifyInstance {
  const app = Fastify({
    logger: false,
    forceCloseConnections: true,
    connectionTimeout: 30_000,
    requestTimeout: 10_000,
  })
  mountOperations(app, parts)
  return app
}
