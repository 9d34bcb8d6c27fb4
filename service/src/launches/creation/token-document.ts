import type { LaunchInput } from '@slipway/schema/create-launch'

/** The token's own document, as wallets read it. The same launch always gives the same bytes. */
export function buildTokenDocument({ name, symbol, image, description, externalLinks }: LaunchInput): Buffer {
  const { website = '', socials = {} } = externalLinks ?? {}
  const { x: twitter, telegram, discord } = socials
  const links = {
    ...(website && { website }),
    ...(twitter && { twitter }),
    ...(telegram && { telegram }),
    ...(discord && { discord }),
  }
  const document = {
    name,
    symbol,
    description: description ?? '',
    image,
    ...(website && { external_url: website }),
    ...(Object.keys(links).length > 0 && { extensions: links }),
  }
  return Buffer.from(JSON.stringify(document))
}
