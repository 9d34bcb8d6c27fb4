import type { Network } from '@slipway/client'
import { useQuery } from '@tanstack/react-query'
import { BadgeCheck, ChevronRight } from 'lucide-react'
import { Link } from 'wouter'
import { Panel } from '../../components/panel.tsx'
import { TokenPicture } from '../../components/token-picture.tsx'
import { agentTitle } from '../../lib/agents.ts'
import { shorten } from '../../lib/format.ts'
import { cut } from '../../lib/parse-json.ts'
import { agentQuery } from '../../lib/queries.ts'
import { useSite } from '../../lib/site-context.ts'
import styles from './launch.module.css'

const DESCRIPTION_LENGTH_MAX = 400

/** The agent that launched the token. */
export function AgentPanel({ address, network }: { address: string | undefined; network: Network }) {
  const { slipway, settings } = useSite()
  const { data } = useQuery({
    ...agentQuery(slipway, network, address ?? ''),
    enabled: address !== undefined,
  })
  if (address === undefined) return null
  const query = network === settings.networks[0] ? '' : `?network=${network}`
  return (
    <Panel title="Agent behind it">
      <Link href={`/agents/${address}${query}`} className={styles.agent}>
        <TokenPicture image={data?.image} name={data?.name ?? '?'} address={address} size={56} />
        <span className={styles.agentText}>
          <b>
            <bdi>{data ? agentTitle(data) : shorten(address, 6)}</bdi>
            {data?.verifiedAt && (
              <BadgeCheck size={16} strokeWidth={1.5} aria-label="Verified by this service’s operator" />
            )}
          </b>
          {data?.description && <span dir="auto">{cut(data.description, DESCRIPTION_LENGTH_MAX)}</span>}
        </span>
        <ChevronRight size={20} strokeWidth={1.5} aria-hidden="true" />
      </Link>
    </Panel>
  )
}
