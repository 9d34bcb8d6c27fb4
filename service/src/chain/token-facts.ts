import type { Address } from '@slipway/schema/address'
import type { AccountReader } from './account-reader.ts'
import { decodeMint, findTokenName } from './accounts/mint.ts'
import { decodeTokenMetadata, type TokenName } from './accounts/token-metadata.ts'
import { tokenMetadataAddress } from './addresses/addresses.ts'

/** How the chain calls a token; undefined when there is no such mint, or it has no name. In one round trip. */
export async function fetchTokenFacts(reader: AccountReader, mint: Address): Promise<TokenName | undefined> {
  const { accounts } = await reader.fetchAccounts([mint, tokenMetadataAddress(mint)])
  const [mintAccount, metadataAccount] = accounts
  if (!mintAccount || !metadataAccount) return undefined
  return findTokenName(decodeMint(mintAccount), decodeTokenMetadata(metadataAccount))
}
