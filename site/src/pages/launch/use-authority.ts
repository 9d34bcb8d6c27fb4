import type { LaunchDetail, Network } from '@slipway/client'
import { useQuery } from '@tanstack/react-query'
import { isAddress } from '../../lib/is-address.ts'
import { agentQuery } from '../../lib/queries.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { callRpc } from '../../lib/rpc.ts'
import { useSite } from '../../lib/site-context.ts'

/** Where the authority is in the launch's account. */
const AUTHORITY = { offset: 8, length: 32 }

/**
 * The wallet that signs for a launch: its authority on the chain, or the owner of the agent whose wallet that is. Undefined
 * while it is not known, and without an RPC that browsers may use; the service checks it in any case.
 */
export function useAuthority(
  { launch: { genesisAddress }, agent: agentAddress }: LaunchDetail,
  network: Network,
): { signer: string | undefined; isPending: boolean } {
  const { slipway, settings } = useSite()
  const rpc = settings.rpc[network]
  const authority = useQuery({
    queryKey: queryKeys.authority(network, genesisAddress),
    queryFn: ({ signal }) => fetchAuthority(rpc?.url ?? '', genesisAddress, signal),
    enabled: rpc !== undefined,
    retry: 1,
  })
  const agent = useQuery({
    ...agentQuery(slipway, network, agentAddress ?? ''),
    enabled: agentAddress !== undefined,
  })
  const isAgents = agent.data !== undefined && agent.data.walletAddress === authority.data
  return {
    signer: isAgents ? agent.data?.owner : authority.data,
    isPending: authority.isLoading || agent.isLoading,
  }
}

/** An address is the base58 form of its bytes, as which the RPC can send them. */
async function fetchAuthority(url: string, genesisAddress: string, signal: AbortSignal): Promise<string> {
  const params = [genesisAddress, { encoding: 'base58', dataSlice: AUTHORITY, commitment: 'confirmed' }]
  const { value } = (await callRpc(url, 'getAccountInfo', params, signal)) as {
    value: { data?: unknown } | null
  }
  const [address] = Array.isArray(value?.data) ? value.data : []
  if (typeof address !== 'string' || !isAddress(address)) throw new Error('the RPC did not send the account')
  return address
}
