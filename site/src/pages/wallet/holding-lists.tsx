import type { Network } from '@slipway/client'
import { wordsOf } from '@slipway/launch-model/kinds/words'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Amount, StatusBadge } from '../../components/figures.tsx'
import { Panel } from '../../components/layout.tsx'
import { Row, Rows } from '../../components/rows.tsx'
import { agentHref, agentTitle } from '../../lib/agents.ts'
import { NATIVE_DECIMALS } from '../../lib/format.ts'
import { launchHref, standingAt, titleOf } from '../../lib/launches.ts'
import { useNow } from '../../lib/now.ts'
import { walletListQuery } from '../../lib/queries.ts'
import { useSite } from '../../lib/site-context.ts'
import type { HoldingList, Holdings } from '../../lib/wallets.ts'
import styles from './wallet.module.css'

/** Launches that pay their creator fees to the wallet. */
export function Launches(shown: Shown) {
  const { networks } = useSite().settings
  const nowMs = useNow('second')
  const { entries, ...more } = useWholeList('launches', shown, ({ launch }) => launch.genesisAddress)
  return (
    <Panel title="Launches that pay their creator fees to it">
      <Rows>
        {entries.map(data => (
          <Row
            key={data.launch.genesisAddress}
            href={launchHref(data.launch.genesisAddress, shown.network, networks)}
            address={data.launch.genesisAddress}
            image={data.baseToken.image}
            title={titleOf(data)}
          >
            <span className="row soft gap-2">
              <StatusBadge status={standingAt(data, nowMs)} /> {wordsOf(data.launch.mechanic).title}
            </span>
          </Row>
        ))}
      </Rows>
      <More {...more} what="launches" />
    </Panel>
  )
}

export function Agents(shown: Shown) {
  const { networks } = useSite().settings
  const { entries, ...more } = useWholeList('agents', shown, ({ address }) => address)
  return (
    <Panel title="Agents">
      <Rows>
        {entries.map(agent => (
          <Row
            key={agent.address}
            href={agentHref(agent.address, shown.network, networks)}
            address={agent.address}
            image={agent.image}
            title={agentTitle(agent)}
          >
            <span className="soft">
              Its wallet holds <Amount units={agent.lamports} decimals={NATIVE_DECIMALS} symbol="SOL" />
            </span>
          </Row>
        ))}
      </Rows>
      <More {...more} what="agents" />
    </Panel>
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

export interface Shown {
  wallet: string
  network: Network
  holdings: Holdings
}

/** One of the lists: its start, and as much more as the reader has asked for. */
export function useWholeList<List extends HoldingList>(
  list: List,
  { wallet, network, holdings }: Shown,
  keyOf: (entry: Holdings[List][number]) => string,
) {
  const { slipway } = useSite()
  const [isWanted, setWanted] = useState(false)
  const start = holdings.next[list]
  const isEnabled = isWanted && start !== null
  const rest = useInfiniteQuery({
    ...walletListQuery(slipway, network, wallet, list, start),
    enabled: isEnabled,
    // The list may continue elsewhere after it was fetched again.
    placeholderData: keepPreviousData,
  })
  const pages = [holdings, ...(isEnabled ? (rest.data?.pages ?? []) : [])]
  const entries = pages.flatMap(page => page[list] as Holdings[List][number][])
  return {
    // One that has moved meanwhile is not shown twice.
    entries: [...new Map(entries.map(entry => [keyOf(entry), entry])).values()],
    pages,
    hasMore: isEnabled ? !rest.data || rest.hasNextPage : start !== null,
    isLoading: isEnabled && (rest.isLoading || rest.isFetchingNextPage),
    isFailed: isEnabled && rest.isError,
    showMore() {
      if (!isEnabled) setWanted(true)
      else if (rest.data) void rest.fetchNextPage()
      else void rest.refetch()
    },
  }
}
