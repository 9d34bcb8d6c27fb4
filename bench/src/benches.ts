import { benchActivity } from './activity/bench-activity.ts'
import { benchFind } from './agents/bench-find.ts'
import { benchChain } from './chain/bench-chain.ts'
import { benchSize } from './client/bench-size.ts'
import { benchEvents, benchEventWrites } from './events/bench-events.ts'
import { benchAgents } from './http/bench-agents.ts'
import { benchListings } from './http/bench-listings.ts'
import { benchIndexer } from './indexer/bench-indexer.ts'
import { benchPages } from './launches/bench-pages.ts'
import { benchChanges } from './listings/bench-changes.ts'
import { benchStart } from './listings/bench-start.ts'
import { benchVisible } from './listings/bench-visible.ts'
import { benchDirectory } from './site/bench-directory.ts'
import { benchTrades } from './trades/bench-trades.ts'
import { benchBuild } from './transactions/bench-build.ts'
import { benchClaims } from './transactions/bench-claims.ts'
import { benchWithdrawals } from './transactions/bench-withdrawals.ts'
import { benchWorkers } from './workers/bench-workers.ts'

export const BENCHES: Record<string, (args: string[]) => Promise<void>> = {
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
