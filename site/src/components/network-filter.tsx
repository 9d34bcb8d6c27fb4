import type { Network } from '@slipway/client'
import { Link } from 'wouter'
import { networkName } from '../lib/format.ts'
import { useSite } from '../lib/site-context.ts'
import { Segmented } from './segmented.tsx'

interface NetworkLinks {
  current: Network
  /** Where the same page is on another network. */
  hrefOf(network: Network): string
}

const useNetworks = () => useSite().settings.networks as Network[]

export function NetworkFilter({ current, hrefOf }: NetworkLinks) {
  const networks = useNetworks()
  if (networks.length < 2) return null
  return (
    <Segmented
      label="Network"
      choices={networks.map(network => ({
        text: networkName(network),
        href: hrefOf(network),
        isCurrent: network === current,
      }))}
    />
  )
}

/** What to try when nothing was found on this network. */
export function OtherNetwork({ current, hrefOf }: NetworkLinks) {
  const other = useNetworks().find(network => network !== current)
  return other && <Link href={hrefOf(other)}>Look on {networkName(other)}</Link>
}
