import type { Rent } from '@slipway/launch-model/rent'
import { FEE_LAMPORTS } from '../../lib/native.ts'
import { type AgentDraft, toRequest } from './agent-draft.ts'

/** The wallet and the asset's own key sign. */
export const MINT_FEE = BigInt(2 * FEE_LAMPORTS)
/** Core takes the rent of this many bytes for each new asset, and a little more. */
const PROGRAM_FEE_BYTES = 87
const PROGRAM_FEE_MORE = 3_600n
const IDENTITY_BYTES = 104
/** An asset without its name and its addresses. */
const ASSET_BYTES = 130
/** What follows the service's URL in the address of the registration document: `/v1/documents/`, a hash and `.json`. */
const DOCUMENT_PATH_BYTES = 83

/** What a new agent costs its wallet, in lamports. The longer its name and addresses, the more its asset costs. */
export function mintCost(draft: AgentDraft, publicUrl: string, rent: Rent) {
  const { name, uri } = toRequest(draft)
  const assetRent = rent(
    ASSET_BYTES + bytesOf(name) + bytesOf(uri) + bytesOf(publicUrl) + DOCUMENT_PATH_BYTES,
  )
  const identityRent = rent(IDENTITY_BYTES)
  const programFee = rent(PROGRAM_FEE_BYTES) + PROGRAM_FEE_MORE
  const besidesFee = assetRent + identityRent + programFee
  return { assetRent, identityRent, programFee, besidesFee, total: MINT_FEE + besidesFee }
}

const bytesOf = (text: string): number => new TextEncoder().encode(text).length
