import type { LaunchDetail, Network } from '@slipway/client'
import { wordsOf } from '@slipway/launch-model/kinds/words'
import { useQuery } from '@tanstack/react-query'
import { Amount } from '../../components/figures.tsx'
import { Panel } from '../../components/layout.tsx'
import { Waiting } from '../../components/notice.tsx'
import { Address } from '../../components/text.tsx'
import { formatFee, formatPart, quoteSymbol } from '../../lib/format.ts'
import { type Figures, isRaise, standingAt } from '../../lib/launches.ts'
import { createPart } from '../../lib/load-part.ts'
import { useIsHydrated, useNow } from '../../lib/now.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { useSite } from '../../lib/site-context.ts'
import { walletHref } from '../../lib/wallets.ts'
import styles from './launch-terms.module.css'
import type { Term, TokenRights } from './read-terms.ts'

const reading = createPart(() => import('./read-terms.ts'))

/** What the chain says about a launch's terms. */
export function useTerms(network: Network, genesisAddress: string) {
  const rpc = useSite().settings.rpc[network]
  const isHydrated = useIsHydrated()
  return useQuery({
    queryKey: queryKeys.terms(network, genesisAddress),
    queryFn: async ({ signal }) => (await reading.load()).readTerms(rpc?.url ?? '', genesisAddress, signal),
    enabled: isHydrated && rpc !== undefined,
    // A launch that is live keeps its terms.
    staleTime: 60 * 60_000,
    retry: 1,
  })
}

/** Where the tokens and the money go, read from the chain if there is an RPC that browsers may use. */
export function LaunchTerms({
  data,
  network,
  figures,
  isMissed,
}: {
  data: LaunchDetail
  network: Network
  figures: Figures | undefined
  /** Whether none of it happens. */
  isMissed: boolean
}) {
  const { settings } = useSite()
  const { data: terms, isError } = useTerms(network, data.launch.genesisAddress)
  const unsold = unsoldOf(data, figures)
  const isOver = data.launch.graduatedAt !== null
  const nowMs = useNow('minute')
  const isSaleOver = isOver || standingAt(data, nowMs) === 'closed'
  const explanation = isSaleOver ? undefined : wordsOf(data.launch.mechanic).explanation
  if (!settings.rpc[network] && !explanation) return null
  return (
    <Panel
      title={
        isMissed ? 'Where the tokens and the money would have gone' : 'Where the tokens and the money go'
      }
    >
      {explanation && <p className={styles.lead}>{explanation}</p>}
      {terms ? (
        <div className={styles.terms}>
          <TermList title="Tokens" terms={terms.tokens} network={network} />
          <TermList title="Money raised" terms={terms.money} network={network} />
          <TermList
            title={isSaleOver ? 'Fees of the sale' : 'Fees'}
            terms={terms.fees}
            network={network}
            note={
              terms.creatorFee
                ? `The creator ${isSaleOver ? 'got' : 'gets'} ${formatFee(terms.creatorFee)} of each trade. The protocol ${isSaleOver ? 'kept' : 'keeps'} the rest of the fee.`
                : `The protocol ${isSaleOver ? 'kept' : 'keeps'} them.`
            }
          />
          {(terms.rights || terms.isUnowned) && (
            <p className={styles.note}>
              {terms.rights && <Rights rights={terms.rights} network={network} />}
              {terms.isUnowned && ' The launch doesn’t name anyone who can withdraw the liquidity.'}
            </p>
          )}
          {terms.least !== undefined && figures && (
            <p className={styles.note}>
              If less than{' '}
              <Amount
                units={terms.least}
                decimals={figures.quoteDecimals}
                symbol={quoteSymbol(figures.quoteMint)}
              />{' '}
              is raised, everyone gets a refund, less the deposit fee.
            </p>
          )}
          {unsold > 0n && figures && (
            <p className={styles.note}>
              <Amount
                units={`${unsold}`}
                decimals={figures.baseDecimals}
                symbol={data.baseToken.symbol || 'tokens'}
              />{' '}
              {terms.rollsOver
                ? 'were not sold. They went to another part of the launch.'
                : 'were not sold. They stay in the launch, and nobody can claim them.'}
            </p>
          )}
        </div>
      ) : (
        settings.rpc[network] && (
          <Waiting className={styles.note}>
            {isError
              ? 'The terms can’t be read from the chain right now.'
              : 'Reading the terms from the chain…'}
          </Waiting>
        )
      )}
    </Panel>
  )
}

/** What a presale that has graduated did not sell. A launch pool shares everything, and a curve graduates only when it is sold out. */
const unsoldOf = ({ launch }: LaunchDetail, figures: Figures | undefined): bigint =>
  figures && isRaise(launch.mechanic) && !wordsOf(launch.mechanic).isShared && launch.graduatedAt !== null
    ? BigInt(figures.supply) - BigInt(figures.sold)
    : 0n

/** Who can create more tokens, and who can freeze them. */
function Rights({ rights: { minter, freezer }, network }: { rights: TokenRights; network: Network }) {
  const { networks } = useSite().settings
  const by = (holder: string) => (
    <Address
      address={holder}
      network={network}
      label="this address"
      href={walletHref(holder, network, networks)}
    />
  )
  const isLaunch = minter === 'launch' || freezer === 'launch'
  return (
    <>
      {minter === freezer ? (
        <>{nameHolder(minter) ?? by(minter)} can create more tokens or freeze them.</>
      ) : (
        <>
          {nameHolder(minter) ?? by(minter)} can create more tokens. {nameHolder(freezer) ?? by(freezer)} can
          freeze them.
        </>
      )}
      {isLaunch && ' No wallet has the key to that account.'}
    </>
  )
}

const nameHolder = (holder: TokenRights['minter']): string | undefined =>
  holder === 'nobody' ? 'Nobody' : holder === 'launch' ? 'Only the launch’s own account' : undefined

export function TermList({
  title,
  terms,
  network,
  note,
}: {
  title: string
  terms: readonly Term[]
  network: Network
  note?: string
}) {
  const { networks } = useSite().settings
  if (terms.length === 0) return null
  return (
    <section className={styles.list}>
      <h3>{title}</h3>
      <ul>
        {terms.map(({ share, text, wallet }) => (
          <li key={`${text} ${wallet}`}>
            <b>{formatPart(share)}</b>
            <span>
              {text}
              {wallet !== undefined && (
                <>
                  {' '}
                  <Address
                    address={wallet}
                    network={network}
                    label="the wallet’s address"
                    href={walletHref(wallet, network, networks)}
                  />
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
      {note && <p>{note}</p>}
    </section>
  )
}

/**
 * When a sale ended. The chain may record the end later, such as on graduation, and the API returns that later time. But
 * deposits stop at the time in the terms.
 */
export const saleEndOf = (endTime: string, endsAt: string | undefined, nowMs: number): string =>
  endsAt !== undefined && endsAt < endTime && Date.parse(endTime) <= nowMs ? endsAt : endTime
