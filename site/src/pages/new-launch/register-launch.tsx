import { SlipwayError } from '@slipway/client'
import { useQueryClient } from '@tanstack/react-query'
import { Check, CircleAlert, LoaderCircle } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { Button, LinkButton } from '../../components/button.tsx'
import { plural } from '../../lib/format.ts'
import { launchHref } from '../../lib/launches.ts'
import { isWorthRetrying } from '../../lib/queries.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { useSite } from '../../lib/site-context.ts'
import { progressOf } from './interrupted-launch.tsx'
import styles from './started-launches.module.css'
import { removeStarted, type StartedLaunch } from './started-launches.tsx'

const RETRY_MS = 1_500

type State =
  | { kind: 'registering' }
  | { kind: 'failed'; reason: string }
  /** `isUnproven`: the social account was verified, but the proof no longer counted. */
  | { kind: 'registered'; isUnproven: boolean }

/** The last step, which needs no signature: this service compares the launch with the chain and lists it. */
export function RegisterLaunch({
  started,
  onRegistered,
  onLeave,
}: {
  started: StartedLaunch
  onRegistered(): void
  onLeave(): void
}) {
  const { settings } = useSite()
  const { state, register } = useRegistration(started, onRegistered)
  const { launch } = started.request
  const { total } = progressOf(started)
  const title = useRef<HTMLHeadingElement>(null)
  // The button that led here is gone, and with it the focus.
  useEffect(() => title.current?.focus(), [])
  return (
    <section className={styles.register} aria-live="polite" aria-labelledby="register-title">
      <h2 id="register-title" ref={title} tabIndex={-1}>
        <bdi>{launch.name}</bdi> {state.kind === 'registered' ? 'is listed' : 'is on the chain'}
      </h2>
      <ol className={styles.steps}>
        <li data-state="done">
          <Check size={18} strokeWidth={1.5} aria-hidden="true" />
          Created: {plural(total, 'transaction')} confirmed
        </li>
        <li data-state={state.kind}>
          {state.kind === 'registered' ? (
            <Check size={18} strokeWidth={1.5} aria-hidden="true" />
          ) : state.kind === 'failed' ? (
            <CircleAlert size={18} strokeWidth={1.5} aria-hidden="true" />
          ) : (
            <LoaderCircle size={18} strokeWidth={1.5} aria-hidden="true" />
          )}
          {state.kind === 'registered'
            ? 'Registered with this service'
            : state.kind === 'failed'
              ? 'Not registered'
              : 'Registering with this service. No signature is needed…'}
        </li>
      </ol>
      {state.kind === 'failed' && (
        <p role="alert" className={styles.failure}>
          {state.reason} Nothing is lost: the launch is complete on the chain, and you can register it now or
          later.
        </p>
      )}
      {state.kind === 'registered' && state.isUnproven && (
        <p className={styles.note}>
          The X link is listed as unverified, because the verification had expired. You can verify it on the
          launch’s page.
        </p>
      )}
      <div className={styles.actions}>
        {state.kind === 'failed' && (
          <Button kind="primary" onClick={() => void register()}>
            Register again
          </Button>
        )}
        {state.kind === 'registered' && (
          <>
            <LinkButton href={launchHref(started.genesisAccount, started.network, settings.networks)}>
              Open your launch
            </LinkButton>
            <Button onClick={onLeave}>Create another</Button>
          </>
        )}
        {state.kind === 'failed' && <Button onClick={onLeave}>Later</Button>}
      </div>
    </section>
  )
}

function useRegistration(started: StartedLaunch, onRegistered: () => void) {
  const { slipway } = useSite()
  const queryClient = useQueryClient()
  const [state, setState] = useState<State>({ kind: 'registering' })
  const finish = useRef(onRegistered)
  useEffect(() => {
    finish.current = onRegistered
  })

  const register = useCallback(async () => {
    setState({ kind: 'registering' })
    const { genesisAccount, network, request, verification } = started
    const isFresh = verification && Date.parse(verification.expiresAt) > Date.now()
    let token = isFresh ? verification.token : undefined
    for (let failures = 0; ; failures += 1) {
      try {
        await slipway.launches.register({
          genesisAccount,
          network,
          launch: request.launch,
          ...(request.agent && { agent: { mint: request.agent.mint } }),
          ...(token && { socialVerificationToken: token }),
        })
        removeStarted(genesisAccount)
        setState({ kind: 'registered', isUnproven: verification !== undefined && !token })
        finish.current()
        return void queryClient.invalidateQueries({ queryKey: queryKeys.launches(network) })
      } catch (error) {
        if (token && error instanceof SlipwayError && error.code === 'INVALID_SOCIAL_TOKEN') {
          token = undefined
          continue
        }
        if (isWorthRetrying(failures, error)) {
          await new Promise(resolve => setTimeout(resolve, RETRY_MS))
          continue
        }
        return setState({ kind: 'failed', reason: explain(error) })
      }
    }
  }, [slipway, queryClient, started])

  useEffect(() => void register(), [register])
  return { state, register }
}

function explain(error: unknown): string {
  if (!(error instanceof SlipwayError) || error.status === 0) return 'The service did not answer.'
  return `The service refused: ${error.message.replace(/\.$/, '')}.`
}
