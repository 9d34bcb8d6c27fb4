import { createPathTable, decodePath } from '@slipway/schema/path-table'
import { createPart } from '../lib/load-part.ts'
import type { PagePath } from '../server/protocol.ts'
import type { Page } from './page.ts'

/** Each page is a file of its own, so that a reader loads only those that they open. */
export const PAGES = [
  pageAt('/', async () => (await import('./directory/directory-page.tsx')).directoryPage),
  pageAt('/launches/new', async () => (await import('./new-launch/new-launch-page.tsx')).newLaunchPage),
  pageAt('/launches/:address', async () => (await import('./launch/launch-page.tsx')).launchPage),
  pageAt('/agents', async () => (await import('./agents/agents-page.tsx')).agentsPage),
  pageAt('/agents/new', async () => (await import('./new-agent/new-agent-page.tsx')).newAgentPage),
  pageAt('/agents/:address', async () => (await import('./agent/agent-page.tsx')).agentPage),
  pageAt('/rewards', async () => (await import('./rewards/rewards-page.tsx')).rewardsPage),
  pageAt('/rewards/:wallet', async () => (await import('./rewards/rewards-page.tsx')).walletRewardsPage),
  pageAt('/wallets/:address', async () => (await import('./wallet/wallet-page.tsx')).walletPage),
  pageAt('/status', async () => (await import('./status/status-page.tsx')).statusPage),
]

function pageAt(path: PagePath, importPage: () => Promise<Page>) {
  return { path, part: createPart(importPage) }
}

/** The page at a path, and the parts of the path that vary. */
export function findPage(path: string) {
  const found = TABLE.find(decodePath(path), () => true)
  return found && { ...found.value, params: found.params }
}

const TABLE = createPathTable(PAGES.map(page => [page.path, page] as const))
