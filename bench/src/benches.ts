import { benchAgents, benchListings } from './http/bench-answers.ts'
import { benchPages } from './launches/bench-pages.ts'
import { benchStart } from './listings/bench-start.ts'
import { benchDirectory } from './site/bench-directory.ts'
import { benchBuild } from './transactions/bench-build.ts'
import { benchWithdrawals } from './transactions/bench-withdrawals.ts'
import { benchWorkers } from './workers/bench-workers.ts'

export const BENCHES: Record<string, (args: string[]) => Promise<void>> = {
  listings: benchListings,
  agents: benchAgents,
  build: benchBuild,
  withdrawals: benchWithdrawals,
  start: benchStart,
  pages: benchPages,
  directory: benchDirectory,
  workers: benchWorkers,
}
