import { Check } from 'lucide-react'
import { Link } from 'wouter'
import { NetworkFilter, Segmented } from '../../components/choices.tsx'
import { Toolbar } from '../../components/layout.tsx'
import { AGENT_FLAGS, type AgentFilter, type AgentFlag, agentsHref } from '../../lib/agent-filter.ts'
import { useSite } from '../../lib/site-context.ts'
import styles from './agents.module.css'

const LABELS: Record<AgentFlag, string> = {
  active: 'Active',
  token: 'Has a token',
  services: 'Has services',
  verified: 'Verified',
  spotlight: 'In the spotlight',
}

/** Every choice is a link, so that it is in the address and works without script. */
export function AgentFilters({ filter }: { filter: AgentFilter }) {
  const { networks } = useSite().settings
  const hrefOf = (change: Partial<AgentFilter>) => agentsHref({ ...filter, page: 1, ...change }, networks)
  return (
    <Toolbar>
      <nav aria-label="Filters" className={styles.flags}>
        {AGENT_FLAGS.map(flag => {
          const isOn = filter.flags.includes(flag)
          return (
            <Link
              key={flag}
              replace
              href={hrefOf({
                flags: AGENT_FLAGS.filter(one => filter.flags.includes(one) !== (one === flag)),
              })}
              className={isOn ? `${styles.flag} ${styles.on}` : styles.flag}
              aria-current={isOn ? 'true' : undefined}
              title={isOn ? 'Remove this filter' : undefined}
            >
              {isOn && <Check size={14} strokeWidth={2} aria-hidden="true" />}
              {LABELS[flag]}
            </Link>
          )
        })}
      </nav>
      <div className={styles.choices}>
        <Segmented
          label="Order"
          choices={(['latest', 'oldest'] as const).map(sort => ({
            text: sort === 'latest' ? 'Newest' : 'Oldest',
            href: hrefOf({ sort }),
            isCurrent: filter.sort === sort,
          }))}
        />
        <NetworkFilter current={filter.network} hrefOf={network => hrefOf({ network })} />
      </div>
    </Toolbar>
  )
}
