import { WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { balanceQuery } from '../../../lib/queries.ts'
import { useSite } from '../../../lib/site-context.ts'
import type { Taking } from './taking.ts'

/** Native currency in the connected wallet, if that is what the launch is paid in. Undefined while it is not known. */
export function useFunds({ account, network, tokens, position }: Taking): string | undefined {
  const { settings } = useSite()
  const rpcUrl = settings.rpc[network]?.url
  const isNative = tokens.quoteMint === WRAPPED_NATIVE_MINT
  const isEnabled = isNative && rpcUrl !== undefined && account !== undefined
  const { data, refetch } = useQuery({
    ...balanceQuery(rpcUrl ?? '', network, account?.address ?? ''),
    enabled: isEnabled,
  })
  // Events have the position read again. If it has changed, this wallet has paid or was paid, perhaps in another tab.
  const held = position && [position.wallet, position.balance, position.deposited, position.claimed].join()
  const known = useRef(held)
  useEffect(() => {
    if (held === known.current) return
    const isFirst = known.current === undefined
    known.current = held
    if (isEnabled && !isFirst) void refetch()
  }, [held, isEnabled, refetch])
  return data
}
