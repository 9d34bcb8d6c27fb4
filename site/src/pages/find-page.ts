import { createPathTable } from '@slipway/schema/path-table'
import { agentPage } from './agent/agent-page.tsx'
import { agentsPage } from './agents/agents-page.tsx'
import { directoryPage } from './directory/directory-page.tsx'
import { launchPage } from './launch/launch-page.tsx'
import { newAgentPage } from './new-agent/new-agent-page.tsx'
import { newLaunchPage } from './new-launch/new-launch-page.tsx'
import type { Page } from './page.ts'
import { rewardsPage, walletPage } from './rewards/rewards-page.tsx'
import { statusPage } from './status/status-page.tsx'

export const PAGES: readonly Page[] = [
  directoryPage,
  newLaunchPage,
  launchPage,
  agentsPage,
  newAgentPage,
  agentPage,
  rewardsPage,
  walletPage,
  statusPage,
]

/** The page at a path, and the parts of the path that vary. */
export function findPage(path: string): { page: Page; params: Record<string, string> } | undefined {
  const found = TABLE.find(path, () => true)
  return found && { page: found.value, params: found.params }
}

const TABLE = createPathTable(PAGES.map(page => [page.path, page] as const))
