import type { Address } from '@slipway/schema/address'
import type { ChainAccount } from '../account-reader.ts'
import { IDENTITY_PROGRAM } from '../addresses/programs.ts'
import { officialClients, once } from '../official-clients.ts'
import { type Decoded, decodeAccount } from './decoded.ts'

export interface Identity {
  version: 1 | 2
  asset: Address
  /** The mint of the agent's own token. Identities of version 1 cannot have one. */
  agentToken?: Address
}

/** Both versions live at the same address; the first byte tells them apart. */
export const decodeIdentity = (account: ChainAccount): Decoded<Identity> =>
  decodeAccount(account, [IDENTITY_PROGRAM], ({ data }) => {
    switch (data[0]) {
      case 1: {
        const [{ asset }] = version1().deserialize(data)
        return { version: 1, asset: asset as string as Address }
      }
      case 2: {
        const [{ asset, agentToken }] = version2().deserialize(data)
        return {
          version: 2,
          asset: asset as string as Address,
          ...(agentToken.__option === 'Some' && { agentToken: agentToken.value as string as Address }),
        }
      }
      default:
        return data.length === 0 ? 'malformed' : 'other-kind'
    }
  })

const version1 = once(() => officialClients.identity().getAgentIdentityV1AccountDataSerializer())
const version2 = once(() => officialClients.identity().getAgentIdentityV2AccountDataSerializer())
