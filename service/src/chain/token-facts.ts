import type { Address } from '@slipway/schema/address'
import type { AccountReader } from './account-reader.ts'
import { decodeMint, findTokenName } from './accounts/mint.ts'
import { decodeTokenMetadata, type TokenName } from './accounts/token-metadata.ts'
import { tokenMetadataAddress } from './addresses/addresses.ts'

/** The name of a token; undefined if the mint does not exist or has none. Takes one round trip. */
export async function fetchTokenFacts(reader: AccountReader, mint: Address): Promise<TokenName | undefined> {
  const { accounts } = await reader.fetchAccounts([mint, tokenMetadataAddress(mint)])
  const [mintAccount, metadataAccount] = accounts
  if (!mintAccount || !metadataAccount) return undefined
  return findTokenName(decodeMint(mintAccount), decodeTokenMetadata(metadataAccount))
}
