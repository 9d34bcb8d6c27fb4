import { createServer } from 'node:http'
import { startDemo } from '@slipway/local-chain'
import { listen } from '../lib/listen.ts'

/** The chain that `npm start` runs by default, with the demo world. */
export async function serveChain(dataDir: string): Promise<{ port: number; accounts: string[] }> {
  const quiet = { info: () => {}, error: () => {} }
  const { networks } = await startDemo({ dataDir, port: 0, activity: false, log: quiet })
  const [main] = networks
  if (!main) throw new Error('the demo has no chain')
  const accounts = main.world.launches.flatMap(({ addresses, mint }) => [
    addresses.genesis,
    addresses.primary,
    mint,
  ])
  return { port: Number(new URL(main.local.rpcUrl).port), accounts }
}

/** The reference: reads each request and always answers with the same bytes. */
export function serveAnswer(body: string): Promise<number> {
  const bytes = Buffer.from(body)
  const headers = { 'Content-Type': 'application/json', 'Content-Length': bytes.length }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', chunk => chunks.push(chunk))
    request.on('end', () => {
      JSON.parse(Buffer.concat(chunks).toString())
      response.writeHead(200, headers)
      response.end(bytes)
    })
  })
  return listen(server)
}
