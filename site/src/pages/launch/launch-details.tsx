import type { LaunchActivity, LaunchDetail, LaunchStatus, Network } from '@slipway/client'
import { BadgeCheck, Braces } from 'lucide-react'
import type { ReactNode } from 'react'
import { Address } from '../../components/address.tsx'
import { Amount } from '../../components/amount.tsx'
import { ExternalLink } from '../../components/external-link.tsx'
import { Facts } from '../../components/facts.tsx'
import { Panel } from '../../components/panel.tsx'
import { Time } from '../../components/time.tsx'
import { formatCount, isEndless, mechanicExplanation, mechanicName, quoteSymbol } from '../../lib/format.ts'
import { useSite } from '../../lib/site-context.ts'
import styles from './launch.module.css'

export function LaunchDetails({
  data,
  status,
  network,
  activity,
}: {
  data: LaunchDetail
  status: LaunchStatus
  network: Network
  activity: LaunchActivity | undefined
}) {
  const { launch, baseToken } = data
  const { settings, basePath } = useSite()
  const query = network === settings.networks[0] ? '' : `?network=${network}`
  return (
    <div className={styles.details}>
      <Panel title="Facts">
        <Facts
          facts={[
            ['Mechanic', mechanicName(launch.mechanic)],
            [status === 'upcoming' ? 'Opens' : 'Opened', <Time key="start" at={launch.startTime} />],
            [
              'Ends',
              isEndless(launch.endTime) ? 'When it graduates' : <Time key="end" at={launch.endTime} />,
            ],
            ['Graduated', launch.graduatedAt !== null && <Time key="graduated" at={launch.graduatedAt} />],
            ...figures(activity, baseToken.symbol),
          ]}
        />
        <p className={styles.explanation}>{mechanicExplanation(launch.mechanic)}</p>
      </Panel>
      <Links data={data} />
      <Panel title="Addresses">
        <Facts
          facts={[
            ['Launch', <Address key="launch" address={launch.genesisAddress} label="the launch's address" />],
            ['Token', <Address key="token" address={baseToken.address} label="the token's address" />],
            [
              'Paid in',
              activity && (
                <Address key="quote" address={activity.quoteMint} label="the quote token's address" />
              ),
            ],
          ]}
        />
        <a className={styles.json} href={`${basePath}/v1/launches/${launch.genesisAddress}${query}`}>
          <Braces size={16} strokeWidth={1.5} aria-hidden="true" />
          This launch as JSON
        </a>
      </Panel>
    </div>
  )
}

function figures(activity: LaunchActivity | undefined, symbol: string): [string, ReactNode][] {
  if (!activity) return []
  const { current, quoteMint, quoteDecimals, baseDecimals } = activity
  return [
    [
      'Sold',
      <span key="sold">
        <Amount units={current.sold} decimals={baseDecimals} /> of{' '}
        <Amount units={current.supply} decimals={baseDecimals} symbol={symbol} />
      </span>,
    ],
    ['Deposits', current.participants !== null && formatCount(current.participants)],
    [
      'Creator fees',
      current.creatorFees !== null && (
        <Amount
          key="fees"
          units={current.creatorFees}
          decimals={quoteDecimals}
          symbol={quoteSymbol(quoteMint)}
        />
      ),
    ],
  ]
}

const SITES = { x: 'X', telegram: 'Telegram', discord: 'Discord' } as const

function Links({ data: { website, socials, verifiedSocials } }: { data: LaunchDetail }) {
  const entries = (Object.keys(SITES) as (keyof typeof SITES)[]).flatMap(key => {
    const url = socials[key]
    return url ? [{ key, url, isVerified: verifiedSocials.includes(key) }] : []
  })
  if (!website && entries.length === 0) return null
  return (
    <Panel title="Links">
      <Facts
        facts={[
          ['Website', website && <ExternalLink url={website} />],
          ...entries.map(({ key, url, isVerified }): [string, ReactNode] => [
            SITES[key],
            <span key={key} className={styles.link}>
              <ExternalLink url={url} />
              {isVerified && (
                <span
                  className={styles.verified}
                  title="The launcher signed in to this account when registering."
                >
                  <BadgeCheck size={16} strokeWidth={1.5} aria-hidden="true" />
                  Verified
                </span>
              )}
            </span>,
          ]),
        ]}
      />
      <p className={styles.explanation}>
        {entries.some(({ isVerified }) => isVerified)
          ? 'Verified: the launcher signed in to that account when registering. The other links are claims.'
          : 'Given by the launcher. None of them is verified.'}
      </p>
    </Panel>
  )
}
