import { benchActivity } from './activity/bench-activity.ts'
import { benchFind } from './agents/bench-find.ts'
import { benchChain } from './chain/bench-chain.ts'
import { serveAnswer, serveChain } from './chain/serve-chain.ts'
import { benchSize } from './client/bench-size.ts'
import { benchEvents, benchEventWrites } from './events/bench-events.ts'
import { findCompletion, openStreams, openStuckStreams } from './events/follow-streams.ts'
import { benchAgents } from './http/bench-agents.ts'
import { benchListings } from './http/bench-listings.ts'
import { serveCopy } from './http/serve-copy.ts'
import { serveSlipway } from './http/serve-slipway.ts'
import { benchIndexer } from './indexer/bench-indexer.ts'
import { measureBackfill } from './indexer/measure-backfill.ts'
import { serveIndexNode } from './indexer/serve-index-node.ts'
import { benchPages } from './launches/bench-pages.ts'
import { answerCalls, usage } from './lib/child.ts'
import { generateLoad } from './lib/load.ts'
import { serveNode, serveQueries } from './lib/serve-node.ts'
import { benchChanges } from './listings/bench-changes.ts'
import { benchStart } from './listings/bench-start.ts'
import { benchVisible } from './listings/bench-visible.ts'
import { measureChangeCost } from './listings/change-cost.ts'
import { measureStart } from './listings/measure-start.ts'
import { benchDirectory } from './site/bench-directory.ts'
import { serveSite } from './site/serve-site.ts'
import { benchTrades } from './trades/bench-trades.ts'
import { benchBuild } from './transactions/bench-build.ts'
import { benchClaims } from './transactions/bench-claims.ts'
import { benchWithdrawals } from './transactions/bench-withdrawals.ts'
import { serveRpcStub, serveUmiWithdrawals, serveWithdrawals } from './transactions/serve-withdrawals.ts'
import { benchWorkers } from './workers/bench-workers.ts'

const BENCHES: Record<string, (args: string[]) => Promise<void>> = {
  listings: benchListings,
  changes: benchChanges,
  start: benchStart,
  visible: benchVisible,
  agents: benchAgents,
  chain: benchChain,
  indexer: benchIndexer,
  activity: benchActivity,
  trades: benchTrades,
  find: benchFind,
  pages: benchPages,
  directory: benchDirectory,
  events: benchEvents,
  'event-writes': benchEventWrites,
  build: benchBuild,
  withdrawals: benchWithdrawals,
  claims: benchClaims,
  workers: benchWorkers,
  size: benchSize,
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
    serveSite,
    generateLoad,
    measureBackfill,
    // Loaded on demand, because it imports all of Umi.
    measureBuildCost: async (input: never) =>
      (await import('./transactions/build-cost.ts')).measureBuildCost(input),
    measureClaimsCost: async (input: never) =>
      (await import('./transactions/claims-cost.ts')).measureClaimsCost(input),
    measureChangeCost,
    measureStart,
    serveIndexNode,
    openStreams,
    findCompletion,
    openStuckStreams,
    usage,
  })
else if (name !== undefined && BENCHES[name]) await BENCHES[name](args)
else for (const bench of Object.values(BENCHES)) await bench([])
