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
  // Before the page of any launch, whose path would match too.
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
  for (const page of PAGES) {
    const params = matchPath(page.path, path)
    if (params) return { page, params }
  }
  return undefined
}

/** No part of a path needs percent-encoding. */
function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const wanted = pattern.split('/')
  const parts = path.split('/')
  if (wanted.length !== parts.length) return undefined
  const params: Record<string, string> = {}
  for (const [at, part] of wanted.entries()) {
    const given = parts[at] as string
    if (part.startsWith(':') && given !== '') params[part.slice(1)] = given
    else if (part !== given) return undefined
  }
  return params
}
