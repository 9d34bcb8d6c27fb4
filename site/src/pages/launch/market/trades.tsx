import type { Network } from '@slipway/client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { quoteSymbol } from '../../../lib/format.ts'
import { isRaise } from '../../../lib/launches.ts'
import { queryKeys } from '../../../lib/query-keys.ts'
import { useSite } from '../../../lib/site-context.ts'
import { MoreTrades } from '../../../trades/more-trades.tsx'
import { launchTrades, tradesQuery } from '../../../trades/read-trades.ts'
import { explainFees } from '../../../trades/trade-words.ts'
import styles from './market.module.css'
import { type MarketProps, tradesTitle } from './market-props.ts'
import { describeList, describeSale } from './market-words.ts'
import { TradeTable } from './trade-table.tsx'

/** The newest trades first. New ones come in at the top. */
export function Trades({ data, status, network, figures, hasEnded }: MarketProps) {
  const { slipway } = useSite()
  const { genesisAddress, lastActivityAt } = data.launch
  const source = launchTrades(slipway, network, genesisAddress)
  const { data: list, isError } = useQuery(tradesQuery(source))
  useLateTrades(network, genesisAddress, lastActivityAt)
  if (!list)
    return (
      <p role="status" className={styles.note}>
        {isError ? 'Trades are not available now.' : 'Reading the trades…'}
      </p>
    )
  const title = tradesTitle({ data, status, hasEnded })
  const note = describeList(list, title, figures !== undefined && figures.raised !== '0')
  const lead = title !== 'Deposits' && isRaise(data.launch.mechanic) ? describeSale(list) : undefined
  const fees = explainFees(list.trades)
  const tokens = {
    ...list,
    base: data.baseToken.symbol || 'tokens',
    quote: figures ? quoteSymbol(figures.quoteMint) : '',
  }
  return (
    <>
      {lead !== undefined && <p className={styles.lead}>{lead}</p>}
      {list.trades.length > 0 && <TradeTable trades={list.trades} {...{ network, tokens }} />}
      {note !== undefined && <p className={list.trades.length > 0 ? styles.footnote : styles.note}>{note}</p>}
      {fees !== undefined && <p className={styles.footnote}>{fees}</p>}
      <MoreTrades source={source} next={list.next} />
    </>
  )
}

const LATE_MS = 2_000

/** Events have the list read when the launch moves. The service may read the trade itself a moment later. */
function useLateTrades(network: Network, address: string, lastActivityAt: string) {
  const queryClient = useQueryClient()
  const [firstActivityAt] = useState(lastActivityAt)
  useEffect(() => {
    if (lastActivityAt === firstActivityAt) return undefined
    const refresh = () => void queryClient.invalidateQueries({ queryKey: queryKeys.trades(network, address) })
    const timer = setTimeout(refresh, LATE_MS)
    return () => clearTimeout(timer)
  }, [queryClient, network, address, firstActivityAt, lastActivityAt])
}
