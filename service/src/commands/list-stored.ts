import { NETWORKS } from '@slipway/schema/network'
import {
  type AgentLine,
  type LaunchLine,
  type ListAll,
  listAllAgents,
  listAllLaunches,
} from '../store/list-all.ts'
import { type CommandContext, UsageError } from './command-context.ts'
import { withStore } from './open-store.ts'

const LIMIT = 50
const LIMIT_MAX = 100_000

export async function listAgents(context: CommandContext): Promise<void> {
  const { output } = context
  const selection = parseSelection(context)
  await withStore(context, 'read', async ({ database }) => {
    const agents = await listAllAgents(database, selection)
    output.json({ agents })
    if (agents.length === 0) return output.line('There are none.')
    output.table(['NETWORK', 'ADDRESS', 'REGISTERED', 'MARKS', 'NAME'], agents.map(formatAgent))
  })
}

export async function listLaunches(context: CommandContext): Promise<void> {
  const { output } = context
  const selection = parseSelection(context)
  await withStore(context, 'read', async ({ database }) => {
    const launches = (await listAllLaunches(database, selection)).map(launch => ({
      ...launch,
      status: statusOf(launch),
    }))
    output.json({ launches })
    if (launches.length === 0) return output.line('There are none.')
    output.table(
      ['NETWORK', 'GENESIS ADDRESS', 'REGISTERED', 'MECHANIC', 'STATUS', 'MARKS', 'TOKEN'],
      launches.map(formatLaunch),
    )
  })
}

function parseSelection({ onlyNetwork, flags, values }: CommandContext): ListAll {
  const text = values.limit ?? `${LIMIT}`
  const limit = /^\d{1,6}$/.test(text) ? Number(text) : 0
  if (limit < 1 || limit > LIMIT_MAX) throw new UsageError(`--limit must be a number from 1 to ${LIMIT_MAX}.`)
  return {
    networks: onlyNetwork === undefined ? NETWORKS : [onlyNetwork],
    onlyHidden: flags.has('hidden'),
    limit,
  }
}

const statusOf = ({ startsAt, graduatedAt }: LaunchLine): 'upcoming' | 'live' | 'graduated' =>
  graduatedAt ? 'graduated' : startsAt.getTime() > Date.now() ? 'upcoming' : 'live'

const formatAgent = ({
  network,
  address,
  name,
  registeredAt,
  verifiedAt,
  spotlightedAt,
  hiddenAt,
}: AgentLine) => [
  network,
  address,
  formatTime(registeredAt),
  formatMarks({ verified: verifiedAt, spotlight: spotlightedAt, hidden: hiddenAt }),
  name,
]

const formatLaunch = (launch: LaunchLine & { status: string }) => [
  launch.network,
  launch.genesisAddress,
  formatTime(launch.registeredAt),
  launch.mechanic,
  launch.status,
  formatMarks({ spotlight: launch.spotlight, hidden: launch.hidden }),
  `${launch.name} (${launch.symbol})`,
]

const formatTime = (time: Date) => time.toISOString().slice(0, 16).replace('T', ' ')

const formatMarks = (marks: Record<string, unknown>) =>
  Object.keys(marks)
    .filter(name => marks[name])
    .join(',') || '-'
