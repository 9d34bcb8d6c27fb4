import { decodeBase64 } from '../../../lib/base64.ts'
import { queryKeys } from '../../../lib/query-keys.ts'
import { useSite } from '../../../lib/site-context.ts'
import { readOutlook } from '../../../transactions/read-deposit.ts'
import { intentOf } from './create-deposit-action.ts'
import { fitPreview, type Preview, type Way } from './fit-preview.ts'
import { addressOf, type Taking } from './taking.ts'

/** The question of what an amount would do. The service says it by building the transaction. Nothing is signed. */
export function usePreviews(taking: Taking, way: Way) {
  const { slipway, settings } = useSite()
  const { network, account } = taking
  const address = addressOf(taking)
  const rpcUrl = settings.rpc[network]?.url
  return (amount = 0n) => {
    const request = { wallet: account?.address ?? '', amount: `${amount}`, network }
    return {
      queryKey: queryKeys.preview(network, address, { way, ...request }),
      queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Preview> => {
        const answer = await slipway.launches[way](address, request, { signal })
        const preview = fitPreview(answer, way)
        if (way === 'withdraw' || !rpcUrl) return preview
        // What a deposit is for comes from the chain, as in the sheet.
        const intent = intentOf(taking, way, amount, preview)
        const outlook = await readOutlook(
          { rpcUrl, signal },
          [decodeBase64(answer.tx)],
          intent,
          request.wallet,
        ).catch(() => undefined)
        return { ...preview, outlook }
      },
      staleTime: 10_000,
      refetchInterval: 30_000,
    }
  }
}
