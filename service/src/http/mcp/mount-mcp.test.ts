import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { type RequestContext, setContext } from '../request-context.ts'
import { MCP_PATH, mountMcp } from './mount-mcp.ts'

test("if the protocol's library can't be loaded, the next message loads it again, and only that one", async () => {
  const app = Fastify()
  onTestFinished(() => app.close())
  app.addHook('onRequest', async request => setContext(request.raw, {} as RequestContext))
  let loads = 0
  mountMcp(app, {
    async load() {
      loads += 1
      if (loads === 1) throw new Error('the file is being replaced')
      return async () => Response.json({ answered: true })
    },
    origins: new Set(),
  })
  const send = async () =>
    (await app.inject({ method: 'POST', url: MCP_PATH, payload: { jsonrpc: '2.0' } })).statusCode
  expect([await send(), await send(), await send()]).toEqual([500, 200, 200])
  expect(loads).toBe(2)
})
