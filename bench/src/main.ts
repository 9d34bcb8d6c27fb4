import { benchAgents } from './bench-agents.ts'
import { benchBuild } from './bench-build.ts'
import { benchChain } from './bench-chain.ts'
import { benchChanges } from './bench-changes.ts'
import { benchClaims } from './bench-claims.ts'
import { benchFind } from './bench-find.ts'
import { benchIndexer } from './bench-indexer.ts'
import { benchListings } from './bench-listings.ts'
import { benchVisible } from './bench-visible.ts'
import { benchWithdrawals } from './bench-withdrawals.ts'
import { measureChangeCost } from './change-cost.ts'
import { answerCalls, usage } from './child.ts'
import { generateLoad } from './load.ts'
import { measureBackfill } from './measure-backfill.ts'
import { serveAnswer, serveChain } from './serve-chain.ts'
import { serveCopy } from './serve-copy.ts'
import { serveIndexNode } from './serve-index-node.ts'
import { serveNode, serveQueries } from './serve-node.ts'
import { serveSlipway } from './serve-slipway.ts'
import { serveRpcStub, serveUmiWithdrawals, serveWithdrawals } from './serve-withdrawals.ts'

const BENCHES: Record<string, (args: string[]) => Promise<void>> = {
  listings: benchListings,
  changes: benchChanges,
  visible: benchVisible,
  agents: benchAgents,
  chain: benchChain,
  indexer: benchIndexer,
  find: benchFind,
  build: benchBuild,
  withdrawals: benchWithdrawals,
  claims: benchClaims,
}

const [name, ...args] = process.argv.slice(2)
if (name === 'child')
  answerCalls({
    serveAnswer,
    serveChain,
    serveCopy,
    serveSlipway,
    serveRpcStub,
    serveWithdrawals,
    serveUmiWithdrawals,
    serveNode,
    serveQueries,
    generateLoad,
    measureBackfill,
    // Loaded on demand, because it imports all of Umi.
    measureBuildCost: async (input: never) => (await import('./build-cost.ts')).measureBuildCost(input),
    measureClaimsCost: async (input: never) => (await import('./claims-cost.ts')).measureClaimsCost(input),
    measureChangeCost,
    serveIndexNode,
    usage,
  })
else if (name !== undefined && BENCHES[name]) await BENCHES[name](args)
else for (const bench of Object.values(BENCHES)) await bench([])
