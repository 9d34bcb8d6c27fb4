import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleX, Gauge } from 'lucide-react'
import { type Outage, useOutage } from '../../lib/connection.ts'
import { plural } from '../../lib/format.ts'
import { useTitle } from '../../lib/hooks.ts'
import { useIsHydrated, useNow } from '../../lib/now.ts'
import { definePage } from '../page.ts'
import {
  describeDetail,
  type Part,
  type PartState,
  parseReadiness,
  type Readiness,
} from './parse-readiness.ts'
import { SampleCharts } from './sample-charts.tsx'
import styles from './status.module.css'
import { type Observed, useSamples } from './use-samples.ts'

const READINESS_KEY = ['readiness']

export const statusPage = definePage({
  path: '/status',
  Component: Status,
  async load({ fetch }) {
    const response = await fetch('http://service.invalid/readyz')
    const readiness = parseReadiness(await response.text(), response.status)
    return {
      head: {
        title: 'Status',
        description: `Whether this service and what it depends on work right now. ${headline(readiness)}.`,
        path: '/status',
      },
      data: [[READINESS_KEY, readiness]],
    }
  },
})

function Status() {
  const first = useQuery<Readiness>({ queryKey: READINESS_KEY, enabled: false })
  const observed = useSamples(first.data)
  // The strip at the top shows the same outage.
  const outage = useOutage()
  const { readiness } = observed
  const isUnreachable = outage !== undefined && outage.kind !== 'slow'
  useTitle('Status')
  return (
    <>
      <header className={styles.head}>
        <p className={styles.eyebrow}>Status</p>
        <h1 aria-live="polite">
          <StateIcon state={isUnreachable ? 'failing' : outage ? 'slow' : levelOf(readiness)} size={36} />
          {outage ? OUTAGES[outage.kind] : readiness ? headline(readiness) : 'Asking the service'}
        </h1>
        <p className="soft steady top-3 large">
          <About observed={observed} outage={outage} />
        </p>
      </header>
      {readiness && readiness.parts.length > 0 && (
        <section aria-labelledby="parts" className={isUnreachable ? styles.before : undefined}>
          <h2 id="parts" className={styles.heading}>
            {isUnreachable ? 'Last known' : 'What it depends on'}
          </h2>
          <ul className={styles.parts}>
            {readiness.parts.map(part => (
              <PartRow key={part.key} part={part} sinceMs={observed.since.get(part.key)?.ms} />
            ))}
          </ul>
        </section>
      )}
      <SampleCharts samples={observed.samples} />
    </>
  )
}

const OUTAGES: Record<Outage['kind'], string> = {
  unreachable: 'The service is not answering',
  limited: 'Too many requests',
  offline: 'Your browser is offline',
  slow: 'The service is slow to answer',
}

function headline({ isReady, parts, note }: Readiness): string {
  if (note?.startsWith('starting')) return 'The service is starting'
  if (note?.startsWith('stopping')) return 'The service is stopping'
  const failing = parts.filter(({ state }) => state === 'failing').length
  if (failing > 0)
    return `${plural(failing, 'part')} of ${parts.length} ${failing === 1 ? 'is' : 'are'} failing`
  if (!isReady) return 'The service is not ready'
  const slow = parts.filter(({ state }) => state === 'slow').length
  if (slow > 0) return `Everything works, ${slow} of ${plural(parts.length, 'part')} slowly`
  return parts.some(({ isPartial }) => isPartial)
    ? 'Everything works. The trades of some launches are incomplete'
    : 'Everything works'
}

function levelOf(readiness: Readiness | undefined): PartState {
  if (!readiness) return 'slow'
  if (readiness.note) return 'slow'
  // A part that the service can do without may fail while the service is ready.
  if (!readiness.isReady || readiness.parts.some(({ state }) => state === 'failing')) return 'failing'
  return readiness.parts.some(({ state }) => state === 'slow') ? 'slow' : 'ok'
}

function About({
  observed: { readiness, checkedMs },
  outage,
}: {
  observed: Observed
  outage: Outage | undefined
}) {
  const isHydrated = useIsHydrated()
  const nowMs = useNow('second')
  if (outage?.kind === 'limited')
    return <>Your network address has used up its requests for this minute. This page keeps trying.</>
  if (outage?.kind === 'slow')
    return (
      <>
        Waiting for an answer since <Clock ms={outage.sinceMs} />.
      </>
    )
  if (outage)
    return (
      <>
        Since <Clock ms={outage.sinceMs} />. It may be restarting, or your connection may be down. This page
        keeps trying.
      </>
    )
  if (readiness?.note) return <>{readiness.note}. It answers requests as soon as it is ready.</>
  if (!isHydrated || checkedMs === undefined)
    return <>Checked when this page loaded. With JavaScript, it checks again every few seconds.</>
  const seconds = Math.max(0, Math.round((nowMs - checkedMs) / 1_000))
  const details = readiness && readiness.parts.length === 0 ? ' Its operator keeps the details private.' : ''
  return (
    <>
      Checked {seconds < 2 ? 'just now' : `${seconds} s ago`}, every few seconds while you look.{details}
    </>
  )
}

const LABELS: Record<PartState, string> = { ok: 'Works', slow: 'Slow', failing: 'Failing' }

function PartRow({ part: { name, state, detail }, sinceMs }: { part: Part; sinceMs: number | undefined }) {
  return (
    <li className={styles.part}>
      <span className={state === 'failing' ? `${styles.state} danger` : styles.state}>
        <StateIcon state={state} size={20} />
        <span className={state === 'ok' ? 'unseen' : undefined}>{LABELS[state]}</span>
      </span>
      <b>{name}</b>
      <span className={styles.detail}>{describeDetail(detail)}</span>
      <span className={styles.since}>
        {sinceMs !== undefined && (
          <>
            since <Clock ms={sinceMs} />
          </>
        )}
      </span>
    </li>
  )
}

function StateIcon({ state, size }: { state: PartState; size: number }) {
  const Icon = { ok: CircleCheck, slow: Gauge, failing: CircleX }[state]
  return (
    <Icon size={size} strokeWidth={1.5} aria-hidden="true" className={`${styles.icon} ${styles[state]}`} />
  )
}

/** Only the browser shows it, so it may be in the reader's zone. */
function Clock({ ms }: { ms: number }) {
  const text = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' }).format(ms)
  return <time dateTime={new Date(ms).toISOString()}>{text}</time>
}
