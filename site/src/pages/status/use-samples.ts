import { useEffect, useRef, useState } from 'react'
import { type Outage, reportOutage, watchedFetch } from '../../lib/connection.ts'
import { useSite } from '../../lib/site-context.ts'
import { type Part, type PartState, parseReadiness, type Readiness } from './parse-readiness.ts'

/** What the page has seen since it was opened. */
export interface Observed {
  /** The last answer; kept while the service does not answer. */
  readiness: Readiness | undefined
  checkedMs: number | undefined
  /** Oldest first. */
  samples: readonly Sample[]
  /** When each part got its present state; undefined if it has had it from the start. */
  since: ReadonlyMap<string, { state: PartState; ms: number | undefined }>
}

export interface Sample {
  ms: number
  /** How long `/healthz` took; undefined if it did not answer. */
  responseMs: number | undefined
  parts: readonly Part[]
}

const EVERY_MS = 3_000
/** The first measurements follow each other faster, so that the charts have a line. */
const FIRST_COUNT = 6
const FIRST_MS = 500
const TIMEOUT_MS = 8_000
/** Ten minutes. */
const SAMPLES_MAX = 200

/** Asks how the service is, every few seconds while the page is visible. Reports an outage if it doesn't answer. */
export function useSamples(first: Readiness | undefined): Observed {
  const { slipway } = useSite()
  const start = useRef(first)
  const [observed, setObserved] = useState<Observed>(() => ({
    readiness: first,
    checkedMs: undefined,
    samples: [],
    since: new Map(start.current?.parts.map(({ key, state }) => [key, { state, ms: undefined }])),
  }))

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    let isGone = false
    let count = 0
    const failure = createFailureReport()

    async function check() {
      if (document.visibilityState === 'visible') {
        const answer = await ask(slipway.url)
        if (isGone) return
        failure.note(answer)
        setObserved(before => note(before, answer, Date.now()))
      }
      count += 1
      if (!isGone) timer = setTimeout(check, count < FIRST_COUNT ? FIRST_MS : EVERY_MS)
    }

    void check()
    return () => {
      isGone = true
      failure.end()
      clearTimeout(timer)
    }
  }, [slipway])

  return observed
}

interface Answer {
  responseMs: number | undefined
  readiness: Readiness | undefined
  isLimited: boolean
}

/** The outage that lasts until there is an answer. */
function createFailureReport() {
  let reported: { outage: Outage; end(): void } | undefined

  function end() {
    reported?.end()
    reported = undefined
  }
  return {
    note({ readiness, isLimited }: Answer) {
      if (readiness) return end()
      const kind = isLimited ? 'limited' : 'unreachable'
      if (reported?.outage.kind === kind) return
      const outage: Outage = { sinceMs: reported?.outage.sinceMs ?? Date.now(), kind }
      const endReport = reportOutage(outage)
      end()
      reported = { outage, end: endReport }
    },
    end,
  }
}

async function ask(url: string): Promise<Answer> {
  const options = { cache: 'no-store', signal: AbortSignal.timeout(TIMEOUT_MS) } as const
  try {
    const startMs = performance.now()
    const health = await watchedFetch(`${url}/healthz`, options)
    await health.text()
    const responseMs = performance.now() - startMs
    return {
      responseMs: health.ok ? responseMs : undefined,
      ...(await fetchReadiness(`${url}/readyz`, options)),
    }
  } catch {
    return { responseMs: undefined, readiness: undefined, isLimited: false }
  }
}

/** No readiness if something else answered, such as a proxy. */
async function fetchReadiness(url: string, options: RequestInit): Promise<Omit<Answer, 'responseMs'>> {
  const response = await watchedFetch(url, options)
  if (response.status !== 200 && response.status !== 503)
    return { readiness: undefined, isLimited: response.status === 429 }
  return { readiness: parseReadiness(await response.text(), response.status), isLimited: false }
}

function note(before: Observed, { responseMs, readiness }: Answer, nowMs: number): Observed {
  const samples = [...before.samples, { ms: nowMs, responseMs, parts: readiness?.parts ?? [] }].slice(
    -SAMPLES_MAX,
  )
  if (!readiness) return { ...before, samples, checkedMs: nowMs }
  const since = new Map(
    readiness.parts.map(({ key, state }) => {
      const known = before.since.get(key)
      if (known?.state === state) return [key, known]
      return [key, { state, ms: known ? nowMs : undefined }]
    }),
  )
  return { readiness, samples, since, checkedMs: nowMs }
}
