// Finds agents by name or description, even if the query is misspelt.
// Start the service with `npm start`, then run: node examples/find.js [words]
const service = process.env.SLIPWAY_URL ?? 'http://localhost:8080'
const query = process.argv.slice(2).join(' ') || 'tidewtch'

// 1. Search. The best match comes first, and filters such as verified=true or hasServices=true narrow it down.
const { agents, total } = await list({ query, pageSize: 5 })
console.log(`${total} agents match "${query}"`)
for (const { mintAddress, name, description, isActive } of agents)
  console.log(`${mintAddress}  ${name}${isActive ? '' : ' (inactive)'}: ${description}`)

// 2. Without a query, the pages list every agent, the newest first.
let listed = 0
for (let page = 1, pages = 1; page <= pages; page += 1) {
  const { agents, totalPages } = await list({ page, pageSize: 100 })
  listed += agents.length
  pages = totalPages
}
console.log(`${listed} agents are registered`)

async function list(parameters) {
  const response = await fetch(`${service}/v1/agents?${new URLSearchParams(parameters)}`)
  const answer = await response.json()
  if (!answer.success) throw new Error(`${response.status} ${answer.error}`)
  return answer.data
}
