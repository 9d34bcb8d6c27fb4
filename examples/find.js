// Finds agents by name or description, even if the query is misspelt.
// Start the service with `npm start`, then run: node examples/find.js [words]
import { createSlipway } from '@slipway/client'
import './lib/report-errors.js'

const slipway = createSlipway({ url: process.env.SLIPWAY_URL ?? 'http://localhost:8080' })
const query = process.argv.slice(2).join(' ') || 'tidewtch'

// 1. Search. The best match comes first, and filters such as `verified` or `hasServices` narrow it down.
const { agents, total } = await slipway.agents.list({ query, pageSize: 5 })
console.log(`${total === 1 ? '1 agent matches' : `${total} agents match`} "${query}"`)
for (const { mintAddress, name, description, isActive } of agents)
  console.log(`${mintAddress}  ${name}${isActive ? '' : ' (inactive)'}: ${description}`)

// 2. Without a query, list every agent, the newest first.
let listed = 0
for await (const _agent of slipway.agents.all()) listed += 1
console.log(`${listed} agents are registered`)
