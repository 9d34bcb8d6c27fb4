import { WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import { useQuery } from '@tanstack/react-query'
import { balanceQuery } from '../../../lib/queries.ts'
import { useSite } from '../../../lib/site-context.ts'
import type { Taking } from './taking.ts'

/** Native currency in the connected wallet, if that is what the launch is paid in. Undefined while it is not known. */
export function useFunds({ account, network, tokens }: Taking): string | undefined {
  const { settings } = useSite()
  const rpcUrl = settings.rpc[network]?.url
  const isNative = tokens.quoteMint === WRAPPED_NATIVE_MINT
  return useQuery({
    ...balanceQuery(rpcUrl ?? '', network, account?.address ?? ''),
    enabled: isNative && rpcUrl !== undefined && account !== undefined,
  }).data
}
