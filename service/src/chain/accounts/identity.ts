import { addressAt, keyAt } from '@slipway/launch-model/bytes/base58'
import { IDENTITY_PROGRAM } from '@slipway/launch-model/programs'
import type { Address } from '@slipway/schema/address'
import type { ChainAccount } from '../account-reader.ts'
import { type Decoded, decodeProgramAccount } from './decode-account.ts'

interface Identity {
  version: 1 | 2
  asset: Address
  /** The mint of the agent's own token. Identities of version 1 cannot have one. */
  agentToken?: Address
}

const ASSET = 8
const AGENT_TOKEN = 40
/** Account sizes, by version. */
export const IDENTITY_BYTES: ReadonlyMap<number, number> = new Map([
  [1, 40],
  [2, 104],
])

/** Both versions live at the same address; the first byte is the version. */
export const decodeIdentity = (account: ChainAccount): Decoded<Identity> =>
  decodeProgramAccount(account, [IDENTITY_PROGRAM], ({ data }) => {
    const [version] = data
    if (version === undefined) return 'malformed'
    if (version !== 1 && version !== 2) return 'other-kind'
    if (data.length < (IDENTITY_BYTES.get(version) as number)) return 'malformed'
    const agentToken = version === 2 && keyAt(data, AGENT_TOKEN)
    return { version, asset: addressAt(data, ASSET), ...(agentToken && { agentToken }) }
  })
