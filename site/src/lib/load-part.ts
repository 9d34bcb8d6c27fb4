import { type ComponentType, createElement, use, useEffect, useState } from 'react'

/**
 * `outdated`: the service has a newer version of the site, without this file. `hanging`: it never arrived. `stuck`:
 * it failed again, and some browsers remember a file that could not be loaded until the page is reloaded.
 */
type PartFailure = 'outdated' | 'hanging' | 'failed' | 'stuck'

const MESSAGES: Record<PartFailure, string> = {
  outdated: 'A new version of this site is ready. Reload the page to continue.',
  hanging: 'The service is not answering. Reload the page when it is back.',
  failed: 'A part of this page could not be loaded. Check your connection, then try again.',
  stuck: 'A part of this page could not be loaded. Check your connection, then reload the page.',
}

/** A part of the site that is a file of its own could not be loaded. */
export class PartError extends Error {
  readonly kind: PartFailure
  /** Forgets the failure, so that the part can be shown again. */
  forget = () => {}

  constructor(kind: PartFailure, options: { cause: unknown }) {
    super(MESSAGES[kind], options)
    this.kind = kind
  }
}

/** Even a slow network brings a part within this time. */
const HANGING_MS = 15_000

interface Part<Content> {
  /** Undefined until it is loaded. */
  readonly loaded: Content | undefined
  /** Loads it once; after a failure, once more. */
  load(): Promise<Content>
}

/**
 * A part that is loaded when it is needed. If it is missing because the service was updated, the page reloads, once
 * and only if nothing is typed.
 */
export function createPart<Content>(importPart: () => Promise<Content>): Part<Content> {
  let loaded: Content | undefined
  let loading: Promise<Content> | undefined
  let hasFailed = false
  async function load(): Promise<Content> {
    let timer: ReturnType<typeof setTimeout> | undefined
    const hanging = new Promise<never>((_, reject) => {
      // A browser that waits for a file goes on waiting, even if the import is repeated. Only a reload requests it
      // again.
      timer = setTimeout(() => reject(new PartError('hanging', { cause: undefined })), HANGING_MS)
    })
    try {
      loaded = await Promise.race([importPart(), hanging])
      return loaded
    } catch (cause) {
      loading = undefined
      if (cause instanceof PartError) throw cause
      const isOutdated = await isNewVersionReady()
      // Until the page is gone, it says that the part is being loaded.
      if (isOutdated && reloadOnce()) return new Promise(() => {})
      const kind = hasFailed ? 'stuck' : 'failed'
      hasFailed = true
      throw new PartError(isOutdated ? 'outdated' : kind, { cause })
    } finally {
      clearTimeout(timer)
    }
  }
  return {
    get loaded() {
      return loaded
    },
    load() {
      loading ??= load()
      return loading
    },
  }
}

/** A component that is loaded when it is first shown. */
export function lazyPart<Props extends object>(
  importPart: () => Promise<{ default: ComponentType<Props> }>,
): ComponentType<Props> {
  const part = createPart(importPart)
  let loading: ReturnType<typeof part.load> | undefined
  /** React renders again when it fails, and must then find the same failure. */
  const load = () =>
    part.load().catch(error => {
      if (error instanceof PartError)
        error.forget = () => {
          loading = undefined
        }
      throw error
    })
  return function LazyPart(props: Props) {
    if (!part.loaded) loading ??= load()
    const { default: Content } = part.loaded ?? use(loading as NonNullable<typeof loading>)
    return createElement(Content, props)
  }
}

/**
 * The content of a part; undefined while it is being loaded. Throws if it can't be loaded. Unlike `lazyPart`, it can
 * be rendered on the server, where a failure in a `Suspense` would go unnoticed.
 */
export function usePart<Content>(part: Part<Content> | undefined): Content | undefined {
  const [outcome, setOutcome] = useState<{ error?: unknown }>()
  const isMissing = part !== undefined && part.loaded === undefined
  useEffect(() => {
    if (!isMissing) return
    part.load().then(
      () => setOutcome({}),
      error => setOutcome({ error }),
    )
  }, [part, isMissing])
  if (outcome && 'error' in outcome) throw outcome.error
  return part?.loaded
}

const RELOADED = 'reloaded'
/** While an update is under way, nodes of both versions answer: one reload within this time is enough. */
const RELOAD_MS = 60_000
const ANSWER_MS = 10_000
const OWN_SCRIPT = 'script[type=module][src]'

/** Whether the service serves this page with a different script from the one that is running. */
async function isNewVersionReady(): Promise<boolean> {
  const own = document.querySelector(OWN_SCRIPT)?.getAttribute('src')
  try {
    const response = await fetch(location.href, {
      headers: { Accept: 'text/html' },
      cache: 'no-cache',
      signal: AbortSignal.timeout(ANSWER_MS),
    })
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    const current = page.querySelector(OWN_SCRIPT)?.getAttribute('src')
    return typeof own === 'string' && typeof current === 'string' && current !== own
  } catch {
    return false
  }
}

/** Reloads the page, unless something is typed or reloading has not helped. */
function reloadOnce(): boolean {
  const own = document.querySelector(OWN_SCRIPT)?.getAttribute('src') ?? ''
  if (hasTypedWork()) return false
  try {
    const [script, atMs] = (sessionStorage.getItem(RELOADED) ?? '').split(' ')
    if (script === own || Date.now() - Number(atMs ?? 0) < RELOAD_MS) return false
    sessionStorage.setItem(RELOADED, `${own} ${Date.now()}`)
  } catch {
    // Without storage, a page that reloads itself might never stop.
    return false
  }
  location.reload()
  return true
}

/** Everything that was typed and not sent yet. `isKept`: it survives a reload. */
const holders = new Set<{ isKept: boolean }>()

/** Whether something would be lost, or its owner disturbed, if the page reloaded by itself now. */
export const hasTypedWork = (): boolean => holders.size > 0

/** From now on: returns a function that tells whether something is typed that was not there before, as in a dialog. */
export function watchTypedWork(): () => boolean {
  const before = new Set(holders)
  return () => [...holders].some(holder => !before.has(holder))
}

/** Notes that something is typed. While it would be lost, the browser asks before it leaves or reloads the page. */
export function useTypedWork(isTyped: boolean, { isKept }: { isKept: boolean }): void {
  useEffect(() => {
    if (!isTyped) return undefined
    const holder = { isKept }
    holders.add(holder)
    if (!isKept) addEventListener('beforeunload', ask)
    return () => {
      holders.delete(holder)
      if (![...holders].some(one => !one.isKept)) removeEventListener('beforeunload', ask)
    }
  }, [isTyped, isKept])
}

const ask = (event: BeforeUnloadEvent) => event.preventDefault()
