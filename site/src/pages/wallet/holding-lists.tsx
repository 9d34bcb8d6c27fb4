import { wordsOf } from '@slipway/launch-model/kinds/words'
import { ChevronRight } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { Link } from 'wouter'
import { Button } from '../../components/button.tsx'
import { Amount, StatusBadge } from '../../components/figures.tsx'
import { Panel } from '../../components/layout.tsx'
import { TokenPicture } from '../../components/token-picture.tsx'
import { agentHref, agentTitle } from '../../lib/agents.ts'
import { launchHref, standingAt, titleOf } from '../../lib/launches.ts'
import { NATIVE_DECIMALS } from '../../lib/native.ts'
import { useNow } from '../../lib/now.ts'
import { useSite } from '../../lib/site-context.ts'
import { type Shown, useWholeList } from './use-whole-list.ts'
import styles from './wallet.module.css'

/** Launches that pay their creator fees to the wallet. */
export function Launches(shown: Shown) {
  const { networks } = useSite().settings
  const nowMs = useNow('second')
  const { entries, ...more } = useWholeList('launches', shown, ({ launch }) => launch.genesisAddress)
  return (
    <Panel title="Launches that pay their creator fees to it">
      <ul className={styles.rows}>
        {entries.map(data => (
          <Row
            key={data.launch.genesisAddress}
            href={launchHref(data.launch.genesisAddress, shown.network, networks)}
            address={data.launch.genesisAddress}
            image={data.baseToken.image}
            title={titleOf(data)}
          >
            <span className={styles.kind}>
              <StatusBadge status={standingAt(data, nowMs)} /> {wordsOf(data.launch.mechanic).title}
            </span>
          </Row>
        ))}
      </ul>
      <More {...more} what="launches" />
    </Panel>
  )
}

export function Agents(shown: Shown) {
  const { networks } = useSite().settings
  const { entries, ...more } = useWholeList('agents', shown, ({ address }) => address)
  return (
    <Panel title="Agents">
      <ul className={styles.rows}>
        {entries.map(agent => (
          <Row
            key={agent.address}
            href={agentHref(agent.address, shown.network, networks)}
            address={agent.address}
            image={agent.image}
            title={agentTitle(agent)}
          >
            Its wallet holds <Amount units={agent.lamports} decimals={NATIVE_DECIMALS} symbol="SOL" />
          </Row>
        ))}
      </ul>
      <More {...more} what="agents" />
    </Panel>
  )
}

function Row({
  href,
  address,
  image,
  title,
  children,
}: {
  href: string
  address: string
  image: string | null
  title: string
  children: ReactNode
}) {
  return (
    <li>
      <Link href={href} className={styles.row}>
        <TokenPicture image={image} name={title} address={address} size={44} />
        <span className={styles.text}>
          <b>
            <bdi>{title}</bdi>
          </b>{' '}
          <span>{children}</span>
        </span>
        <ChevronRight size={20} strokeWidth={1.5} aria-hidden="true" />
      </Link>
    </li>
  )
}

export function More({
  what,
  hasMore,
  isLoading,
  isFailed,
  showMore,
}: { what: string } & Omit<ReturnType<typeof useWholeList>, 'entries' | 'pages'>) {
  const id = useId()
  if (!hasMore && !isFailed) return null
  return (
    <div className={styles.more}>
      <Button onClick={showMore} disabled={isLoading} aria-describedby={id}>
        {isLoading ? 'Loading…' : isFailed ? 'Try again' : 'Show more'}
      </Button>
      <span id={id} role="status">
        {isFailed ? (
          `Further ${what} could not be loaded.`
        ) : (
          <span className="unseen">There are more {what}</span>
        )}
      </span>
    </div>
  )
}
