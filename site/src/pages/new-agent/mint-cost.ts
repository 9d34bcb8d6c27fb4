import { FEE_LAMPORTS } from '../../lib/native.ts'
import { type AgentDraft, toRequest } from './agent-draft.ts'

/** The wallet and the asset's own key sign. */
const SIGNATURES = 2
/** Core takes it for each new asset. */
const PROGRAM_FEE = 1_500_000
const LAMPORTS_PER_BYTE = 6_960
/** Each account pays for these too. */
const ACCOUNT_OVERHEAD = 128
const IDENTITY_BYTES = 104
/** An asset without its name and its addresses. */
const ASSET_BYTES = 130
/** What follows the service's URL in the address of the registration document: `/v1/documents/`, a hash and `.json`. */
const DOCUMENT_PATH_BYTES = 83

/** What a new agent costs its wallet, in lamports. The longer its name and addresses, the more its asset costs. */
export function mintCost(draft: AgentDraft, publicUrl: string) {
  const { name, uri } = toRequest(draft)
  const fee = SIGNATURES * FEE_LAMPORTS
  const assetRent = rentOf(
    ASSET_BYTES + bytesOf(name) + bytesOf(uri) + bytesOf(publicUrl) + DOCUMENT_PATH_BYTES,
  )
  const identityRent = rentOf(IDENTITY_BYTES)
  const besidesFee = assetRent + identityRent + PROGRAM_FEE
  return { fee, assetRent, identityRent, programFee: PROGRAM_FEE, besidesFee, total: fee + besidesFee }
}

const rentOf = (bytes: number): number => (ACCOUNT_OVERHEAD + bytes) * LAMPORTS_PER_BYTE

const bytesOf = (text: string): number => new TextEncoder().encode(text).length
