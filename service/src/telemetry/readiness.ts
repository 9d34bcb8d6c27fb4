import { createCachedCall } from '../lib/kept-reads.ts'

/** One part that the service depends on. */
export interface ReadinessPart {
  name: string
  /** The node is ready without it. */
  isOptional?: boolean
  /** Resolves with a short description of its state; rejects if it does not work. */
  check(): Promise<string>
}

/** The requests that a load balancer wants to send: any, or only those that are answered from memory. */
type ReadinessScope = 'all' | 'reads'

export interface ReadinessReport {
  ready: boolean
  /** Lines of details. They may be public, so they name no hosts. */
  text: string
}

export interface Readiness {
  check(scope: ReadinessScope): Promise<ReadinessReport>
}

/** Comes before each thing that a line reports besides its state. */
export const NOTE = '; note: '

const CHECK_TIMEOUT_MS = 2_000
/** Anyone may ask as often as they like, and each check costs a query and an RPC call, so results are kept. */
const KEPT_MS = 1_000
const DRAINING: ReadinessReport = { ready: false, text: 'stopping: open requests are being answered\n' }
const READS: ReadinessReport = { ready: true, text: 'reads: ok, served from memory\n' }

/** The readiness of a service that has loaded its listings: it can answer reads from memory until it drains. */
export function createReadiness(
  parts: readonly ReadinessPart[],
  draining?: AbortSignal,
  keptMs = KEPT_MS,
): Readiness {
  const check = createCachedCall(() => checkParts(parts), keptMs)
  return {
    async check(scope) {
      if (draining?.aborted) return DRAINING
      return scope === 'reads' ? READS : check()
    },
  }
}

/** Shares each check with all callers that arrive while it runs, or within `keptMs` after it. */
export function shareReadiness({ check }: Readiness, keptMs: number): Readiness {
  const checks = {
    all: createCachedCall(() => check('all'), keptMs),
    reads: createCachedCall(() => check('reads'), keptMs),
  }
  return { check: scope => checks[scope]() }
}

/** The readiness of a service that is still starting. `show` replaces the step that it reports. */
export function createStartReadiness(): Readiness & { show(step: string): void } {
  let text = 'starting\n'
  return {
    check: async () => ({ ready: false, text }),
    show(step) {
      text = `starting: ${step}\n`
    },
  }
}

/** Returns one line per part, and whether all of them work. */
async function checkParts(parts: readonly ReadinessPart[]): Promise<ReadinessReport> {
  const lines = await Promise.all(
    parts.map(async ({ name, isOptional = false, check }) => {
      try {
        return { ok: true, line: `${name}: ok, ${await withTimeout(check())}` }
      } catch (error) {
        // The line is public, so it does not contain the error's own message.
        const reason = error instanceof NotReady ? error.message : 'unreachable'
        return { ok: isOptional, line: `${name}: failing, ${reason}` }
      }
    }),
  )
  return { ready: lines.every(({ ok }) => ok), text: lines.map(({ line }) => `${line}\n`).join('') }
}

/** An error whose message may be public. */
export class NotReady extends Error {}

function withTimeout<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NotReady(`no answer in ${CHECK_TIMEOUT_MS} ms`)), CHECK_TIMEOUT_MS)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
