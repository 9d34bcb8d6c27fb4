import { type LaunchActivity, type LaunchDetail, type Network, SlipwayError } from '@slipway/client'
import { wordsOf } from '@slipway/launch-model/kinds/words'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { BadgeCheck, ChevronRight } from 'lucide-react'
import { useMemo } from 'react'
import { Link } from 'wouter'
import { DetailPage, DetailSkeleton } from '../../components/detail-page.tsx'
import { PanelBoundary, Unreachable } from '../../components/failure.tsx'
import { Panel } from '../../components/layout.tsx'
import { NoLongerListed, Waiting } from '../../components/notice.tsx'
import { TokenPicture } from '../../components/token-picture.tsx'
import { agentTitle } from '../../lib/agents.ts'
import { formatTime, formatUnits, quoteSymbol, shorten } from '../../lib/format.ts'
import { useTitle } from '../../lib/hooks.ts'
import type { LaunchRows } from '../../lib/launch-rows.ts'
import {
  type Figures,
  figuresOf,
  hasMissedGoal,
  isRaise,
  launchHref,
  standingAt,
  statusAt,
  titleOf,
} from '../../lib/launches.ts'
import { createPart, usePart } from '../../lib/load-part.ts'
import { loadFromNetwork, useNetworkOf } from '../../lib/networks.ts'
import { useNow } from '../../lib/now.ts'
import { cut } from '../../lib/parse-json.ts'
import { activityQuery, agentQuery, launchQuery } from '../../lib/queries.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import type { Period } from '../../lib/read-series.ts'
import { useSite } from '../../lib/site-context.ts'
import { ErrorPage } from '../error-page.tsx'
import { definePage, loadOptional } from '../page.ts'
import { CurvePanel } from './curve.tsx'
import launchStyles from './launch.module.css'
import { LaunchChart } from './launch-chart.tsx'
import { LaunchFacts } from './launch-facts.tsx'
import { LaunchHead } from './launch-head.tsx'
import { LaunchLinks } from './launch-links.tsx'
import { LaunchTerms, saleEndOf, useTerms } from './launch-terms.tsx'
import { LaunchTimes } from './launch-times.tsx'
import styles from './market.module.css'
import { type MarketProps, tradesTitle } from './market.ts'
import { movementsQuery, showsAllTime } from './raised-series.ts'
import { useTakePart } from './take-part/take-part.tsx'

const DESCRIPTION_LENGTH_MAX = 200
const FIGURES_FRESH_MS = 2_000

export const launchPage = definePage<'address'>({
  path: '/launches/:address',
  Component: LaunchPage,
  async load(context, { address }, search) {
    const { settings } = context
    const {
      network,
      data: launch,
      found,
    } = await loadFromNetwork(
      network => context.queryClient.fetchQuery(launchQuery(context.slipway, network, address)),
      address,
      search,
      settings.networks,
    )
    const startMs = Date.parse(launch.launch.startTime)
    const loadActivity = (period: Period) =>
      loadOptional(context, {
        ...activityQuery(context.slipway, network, address, period, startMs),
        staleTime: FIGURES_FRESH_MS,
      })
    const [activity, steps, agent] = await Promise.all([
      loadActivity('day'),
      isRaise(launch.launch.mechanic) && statusAt(launch, context.nowMs) !== 'upcoming'
        ? loadOptional(context, movementsQuery(context.slipway, network, address))
        : [],
      launch.agent === undefined
        ? []
        : loadOptional(context, agentQuery(context.slipway, network, launch.agent)),
    ])
    const figures = activity[0]?.[1] as LaunchActivity | undefined
    // The chart then shows all the time.
    const longer = figures?.current && showsAllTime(figures) ? await loadActivity('all') : []
    return {
      head: {
        title: `${titleOf(launch)}${launch.baseToken.symbol ? ` (${launch.baseToken.symbol})` : ''}`,
        description: describe(launch, figures, context.nowMs),
        path: launchHref(address, network, settings.networks),
        image: launch.baseToken.image,
      },
      data: [
        [launchQuery(context.slipway, network, address).queryKey, launch],
        found,
        ...activity,
        ...longer,
        ...steps,
        ...agent,
      ],
    }
  },
})

/** Begins with how the launch is doing, because link previews show the beginning only. */
function describe(data: LaunchDetail, activity: LaunchActivity | undefined, nowMs: number): string {
  const { baseToken, launch } = data
  const about = baseToken.description.replaceAll(/\s+/g, ' ').trim()
  const { title, explanation = '' } = wordsOf(launch.mechanic)
  const kind = `${title} on Slipway. ${explanation}`
  const text = `${describeStanding(data, figuresOf(activity), nowMs)} ${about || kind}`
  return text.length <= DESCRIPTION_LENGTH_MAX ? text : `${text.slice(0, DESCRIPTION_LENGTH_MAX - 1)}…`
}

const NAMES = { live: 'Live', closed: 'Closed', graduated: 'Graduated' }

function describeStanding(data: LaunchDetail, figures: Figures | undefined, nowMs: number): string {
  const standing = standingAt(data, nowMs)
  if (standing === 'upcoming')
    return `Upcoming · opens ${formatTime(Date.parse(data.launch.startTime), nowMs, 'UTC')} UTC.`
  const isMissed = hasMissedGoal(data, figures, nowMs)
  const name = isMissed ? 'Goal missed, refunds open' : NAMES[standing]
  if (!figures) return `${name}.`
  const { raised, quoteDecimals, quoteMint } = figures
  return `${name} · ${formatUnits(raised, quoteDecimals)} ${quoteSymbol(quoteMint)} raised.`
}

function LaunchPage({ params: { address } }: { params: { address: string } }) {
  const { slipway } = useSite()
  const queryClient = useQueryClient()
  const network = useNetworkOf(address)
  const query = useQuery({
    ...launchQuery(slipway, network, address),
    placeholderData: () => findListed(queryClient, network, address),
  })
  const data = query.data
  useTitle(data ? titleOf(data) : 'Launch')

  if (data)
    return (
      <Launch data={data} network={network} staleError={query.error} isComplete={!query.isPlaceholderData} />
    )
  // Events set it to null when the launch is hidden.
  if (data === null) return <NoLongerListed what="launch" all={{ href: '/', label: 'All launches' }} />
  if (query.error instanceof SlipwayError && query.error.status === 404)
    return <ErrorPage status={404} path={`/launches/${address}`} />
  if (query.isError)
    return (
      <Unreachable error={query.error} onRetry={() => void query.refetch()}>
        This launch could not be loaded. Nothing is lost; it comes back with the service.
      </Unreachable>
    )
  return <DetailSkeleton back={BACK} label="Loading the launch" />
}

/** What the directory knows of a launch, which is almost everything. */
function findListed(queryClient: QueryClient, network: Network, address: string): LaunchDetail | undefined {
  const lists = queryClient.getQueriesData<LaunchRows>({ queryKey: queryKeys.launches(network) })
  const found = lists
    .flatMap(([, rows]) => rows?.launches ?? [])
    .find(({ launch }) => launch.genesisAddress === address)
  return found && { ...found, verifiedSocials: [] }
}

const BACK = { href: '/', label: 'Launches' }

function Launch({
  data: given,
  network,
  staleError,
  isComplete,
}: {
  data: LaunchDetail
  network: Network
  staleError: unknown
  /** Whether it is known which links are verified. */
  isComplete: boolean
}) {
  const { slipway } = useSite()
  const nowMs = useNow('second')
  const { endsAt, payout } = useTerms(network, given.launch.genesisAddress).data ?? {}
  const endTime = saleEndOf(given.launch.endTime, endsAt, nowMs)
  const data = useMemo(() => ({ ...given, launch: { ...given.launch, endTime } }), [given, endTime])
  const { launch } = data
  const status = statusAt(data, nowMs)
  const activity = useQuery({
    ...activityQuery(slipway, network, launch.genesisAddress, 'day'),
    enabled: status !== 'upcoming',
  })
  const figures = figuresOf(activity.data)
  const isMissed = hasMissedGoal(data, figures, nowMs)
  const hasEnded = figures !== undefined && activity.data?.endedAt != null
  const terms = <LaunchTerms {...{ data, network, figures, isMissed }} />
  const { skip, box, bar } = useTakePart({ data, status, network, figures })
  const isUpcoming = status === 'upcoming'
  return (
    <DetailPage
      skip={skip}
      back={BACK}
      staleError={staleError}
      main={
        <>
          <LaunchHead {...{ data, status, network, figures }} />
          {!isMissed && terms}
          {isUpcoming && <CurvePanel {...{ data, network, figures }} />}
          {/* Nothing has happened before it opens, and nothing more does once its goal was missed. */}
          {!isUpcoming && !isMissed && <LaunchChart {...{ data, status, network }} />}
          {!isUpcoming && <LaunchMarket {...{ data, status, network, figures, hasEnded }} />}
          {isMissed && terms}
          <AgentPanel address={data.agent} network={network} />
        </>
      }
      aside={
        <>
          {box}
          <LaunchTimes {...{ launch, status, isMissed, payout }} />
          <LaunchFacts {...{ data, network, figures, hasEnded }} />
          {isComplete && <LaunchLinks data={data} network={network} />}
        </>
      }
      bar={bar}
    />
  )
}

const panels = createPart(() => import('./market-panels.tsx'))

/** Who traded and who holds the token. Loaded once the rest of the page can be read. */
const LaunchMarket = (props: MarketProps) => (
  <PanelBoundary>
    <LoadedPanels {...props} />
  </PanelBoundary>
)

function LoadedPanels(props: MarketProps) {
  const loaded = usePart(panels)
  if (loaded) return <loaded.MarketPanels {...props} />
  return (
    <Panel title={tradesTitle(props)}>
      <Waiting className={styles.note}>Reading the trades…</Waiting>
    </Panel>
  )
}

const AGENT_LENGTH_MAX = 400

/** The agent that launched the token. */
function AgentPanel({ address, network }: { address: string | undefined; network: Network }) {
  const { slipway, settings } = useSite()
  const { data } = useQuery({
    ...agentQuery(slipway, network, address ?? ''),
    enabled: address !== undefined,
  })
  if (address === undefined) return null
  const query = network === settings.networks[0] ? '' : `?network=${network}`
  return (
    <Panel title="Agent behind it">
      <Link href={`/agents/${address}${query}`} className={launchStyles.agent}>
        <TokenPicture image={data?.image} name={data?.name ?? '?'} address={address} size={56} />
        <span className={launchStyles.agentText}>
          <b>
            <bdi>{data ? agentTitle(data) : shorten(address, 6)}</bdi>
            {data?.verifiedAt && (
              <BadgeCheck size={16} strokeWidth={1.5} aria-label="Verified by this service’s operator" />
            )}
          </b>
          {data?.description && <span dir="auto">{cut(data.description, AGENT_LENGTH_MAX)}</span>}
        </span>
        <ChevronRight size={20} strokeWidth={1.5} aria-hidden="true" />
      </Link>
    </Panel>
  )
}
