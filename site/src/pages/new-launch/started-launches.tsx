import type { CreateLaunchRequest, Network } from '@slipway/client'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import { LinkButton } from '../../components/button.tsx'
import { isObject } from '../../lib/parse-json.ts'
import { launchQuery } from '../../lib/queries.ts'
import { useSite } from '../../lib/site-context.ts'
import { createStoredList } from '../../lib/stored-list.ts'
import styles from './started-launches.module.css'

/** The link to the form, and to launches that were begun there. */
export function CreateLaunchLink() {
  const started = useStarted()
  return (
    <div className={styles.link}>
      <LinkButton kind="quiet" href="/launches/new">
        Create a launch
      </LinkButton>
      {started.map(launch => (
        <ContinueLink key={launch.genesisAccount} launch={launch} />
      ))}
    </div>
  )
}

function ContinueLink({ launch }: { launch: StartedLaunch }) {
  if (useIsListed(launch)) return null
  return (
    <Link href="/launches/new">
      Continue <bdi>{launch.request.launch.name}</bdi>, which was interrupted
    </Link>
  )
}

/** A launch whose transactions were signed, and which is not registered yet. It survives a reload. */
export interface StartedLaunch {
  network: Network
  genesisAccount: string
  mintAddress: string
  /** Without `genesisAccount`. To continue, the request must be the same. */
  request: CreateLaunchRequest
  /** The signatures of the transactions that were signed last. */
  signatures: string[]
  lastValidBlockHeight: number
  /** Transactions that were confirmed before those. */
  earlier: number
  /** How many of `signatures` this page has seen confirmed. The chain may know of more. */
  confirmed: number
  /** Proves the social account, for a few minutes. */
  verification?: { token: string; expiresAt: string }
}

export const isStarted = (value: unknown): value is StartedLaunch =>
  isObject(value) &&
  hasAll(value, 'string', ['network', 'genesisAccount', 'mintAddress']) &&
  hasAll(value, 'number', ['lastValidBlockHeight', 'earlier', 'confirmed']) &&
  Array.isArray(value.signatures) &&
  value.signatures.every(signature => typeof signature === 'string') &&
  isObject(value.request) &&
  hasAll(value.request, 'string', ['wallet']) &&
  isObject(value.request.launch) &&
  (value.request.agent === undefined ||
    (isObject(value.request.agent) &&
      hasAll(value.request.agent, 'string', ['mint']) &&
      hasAll(value.request.agent, 'boolean', ['setToken']))) &&
  hasAll(value.request.launch, 'string', ['name', 'symbol', 'type']) &&
  (value.verification === undefined ||
    (isObject(value.verification) && hasAll(value.verification, 'string', ['token', 'expiresAt'])))

const hasAll = (object: Record<string, unknown>, type: string, names: readonly string[]): boolean =>
  names.every(name => typeof object[name] === type)

const stored = createStoredList('started-launches', isStarted)
export const { read: readStarted } = stored

export function saveStarted(launch: StartedLaunch): void {
  stored.write([...readStarted().filter(isOther(launch.genesisAccount)), launch])
}

export function removeStarted(genesisAccount: string): void {
  stored.write(readStarted().filter(isOther(genesisAccount)))
}

const isOther =
  (genesisAccount: string) =>
  (launch: StartedLaunch): boolean =>
    launch.genesisAccount !== genesisAccount

/** The started launches of this and other tabs. None on the server and in the first render. */
export function useStarted(): StartedLaunch[] {
  const [launches, setLaunches] = useState<StartedLaunch[]>([])
  useEffect(() => {
    const update = () => setLaunches(readStarted())
    update()
    return stored.onChanged(update)
  }, [])
  return launches
}

/** Whether the service lists it already: another tab or someone else has registered it. */
export function useIsListed(launch: StartedLaunch | undefined): boolean {
  const { slipway } = useSite()
  const { network = 'chain-mainnet', genesisAccount = '' } = launch ?? {}
  const query = launchQuery(slipway, network, genesisAccount)
  const { data } = useQuery({ ...query, retry: false, enabled: launch !== undefined })
  return launch !== undefined && data !== undefined && data !== null
}

/** One tab at a time creates a launch. */
export const lockKeyOf = (genesisAccount: string): string => `launch:${genesisAccount}`
