import type { MintAgentRequest, Network } from '@slipway/client'
import type { Rent } from '@slipway/launch-model/rent'
import { FEE_LAMPORTS } from '../../lib/format.ts'
import { isWebUrl } from '../../lib/links.ts'

/** What a person enters about a new agent. */
export interface AgentDraft {
  name: string
  description: string
  picture: string
  services: { kind: string; endpoint: string }[]
  /** URI of the asset's own document. Empty: it is written into the asset itself. */
  uri: string
  /** Empty: that of the account. */
  network: Network | ''
}

export const EMPTY_DRAFT: AgentDraft = {
  name: '',
  description: '',
  picture: '',
  services: [{ kind: 'A2A', endpoint: '' }],
  uri: '',
  network: '',
}

export const SERVICES_MAX = 8
export const NAME_LENGTH_MAX = 64
const URI_BYTES_MAX = 200

export type Faults = Partial<
  Record<'name' | 'description' | 'picture' | 'uri' | `services.${number}`, string>
>

/** What is wrong with the draft. Empty fields are a fault only once the person wants to go on. */
export function findFaults(draft: AgentDraft, isSubmitted: boolean): Faults {
  const { name, description, picture, services, uri } = draft
  const faults: Faults = {}
  if (isSubmitted && name.trim() === '') faults.name = 'Enter a name.'
  if ([...name.trim()].length > NAME_LENGTH_MAX) faults.name = `Use at most ${NAME_LENGTH_MAX} characters.`
  if (isSubmitted && description.trim() === '') faults.description = 'Say in a sentence what it does.'
  if (picture.trim() !== '' && !isWebUrl(picture.trim()))
    faults.picture = 'Enter a web address that starts with https://.'
  for (const [at, { kind, endpoint }] of services.entries())
    if (endpoint.trim() !== '' && !isWebUrl(endpoint.trim()))
      faults[`services.${at}`] = 'Enter a web address that starts with https://.'
    else if (endpoint.trim() !== '' && kind.trim() === '')
      faults[`services.${at}`] = 'Name the kind of service, such as A2A.'
  if (uri.trim() !== '' && !/^(?:https?|ipfs|ar):\/\/\S+$/.test(uri.trim()))
    faults.uri = 'Enter an address that starts with https://, ipfs:// or ar://.'
  else if (bytesOf(assetUri(draft)) > URI_BYTES_MAX)
    faults[uri.trim() === '' ? 'picture' : 'uri'] ??=
      'This address is too long for the chain. Enter a shorter one.'
  return faults
}

/** What the API is asked for, except the wallet and the network. */
export function toRequest(draft: AgentDraft): Pick<MintAgentRequest, 'name' | 'uri' | 'agentMetadata'> {
  const [name, description, image] = [draft.name, draft.description, draft.picture].map(text =>
    text.trim(),
  ) as [string, string, string]
  const services = draft.services
    .filter(({ endpoint }) => endpoint.trim() !== '')
    .map(({ kind, endpoint }) => ({ name: kind.trim(), endpoint: endpoint.trim() }))
  return {
    name,
    uri: assetUri(draft),
    agentMetadata: {
      type: 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1',
      name,
      description,
      ...(image && { image }),
      ...(services.length > 0 && { services }),
    },
  }
}

/**
 * The asset's document: small enough to be part of its own URI, so that it needs no host. The asset has the name too,
 * so the document goes without it if both don't fit.
 */
function assetUri({ name, picture, uri }: AgentDraft): string {
  if (uri.trim() !== '') return uri.trim()
  const image = picture.trim() && { image: picture.trim() }
  const whole = toDataUri({ name: name.trim(), ...image })
  return bytesOf(whole) <= URI_BYTES_MAX ? whole : toDataUri({ ...image })
}

/** The shorter one of two spellings: the first is readable, the second good for text that is not English. */
function toDataUri(document: object): string {
  const text = JSON.stringify(document)
  const readable = `data:application/json,${encodeURIComponent(text)}`
  const bytes = Array.from(new TextEncoder().encode(text), byte => String.fromCharCode(byte))
  const short = `data:application/json;base64,${btoa(bytes.join(''))}`
  return short.length < readable.length ? short : readable
}

const bytesOf = (text: string) => new TextEncoder().encode(text).length

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
