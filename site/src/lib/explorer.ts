import type { SiteSettings } from '../server/protocol.ts'

/** Where a transaction can be looked at. The explorer reads an embedded chain from this machine. */
export function explorerUrl(signature: string, network: string, { rpc, isEmbedded }: SiteSettings): string {
  const url = new URL(`https://explorer.solana.com/tx/${signature}`)
  const local = isEmbedded && rpc[network]?.url
  if (local) {
    url.searchParams.set('cluster', 'custom')
    url.searchParams.set('customUrl', local)
  } else if (network === 'chain-devnet') url.searchParams.set('cluster', 'devnet')
  return url.href
}
