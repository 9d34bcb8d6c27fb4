import { addressAt } from '@slipway/launch-model/bytes/base58'
import { AGENT_TOOLS_PROGRAM } from '@slipway/launch-model/programs'
import type { Address } from '@slipway/schema/address'
import type { ChainAccount } from '../account-reader.ts'
import { type Decoded, decodeProgramAccount } from './decode-account.ts'

interface Delegation {
  /** The profile of the executive. */
  executive: Address
  /** The executive's wallet, which signs for the agent. */
  wallet: Address
  agent: Address
}

export const DELEGATION_KEY = 2
export const DELEGATION_AGENT = 72
export const DELEGATION_BYTES = 104
const PROFILE_KEY = 1
const PROFILE_BYTES = 40

/** The record by which an executive may act for an agent's wallet. */
export const decodeDelegation = (account: ChainAccount): Decoded<Delegation> =>
  decodeProgramAccount(account, [AGENT_TOOLS_PROGRAM], ({ data }) => {
    if (data[0] !== DELEGATION_KEY) return 'other-kind'
    if (data.length < DELEGATION_BYTES) return 'malformed'
    return {
      executive: addressAt(data, 8),
      wallet: addressAt(data, 40),
      agent: addressAt(data, DELEGATION_AGENT),
    }
  })

/** The profile of a wallet that agents can delegate to. */
export const decodeExecutive = (account: ChainAccount): Decoded<{ wallet: Address }> =>
  decodeProgramAccount(account, [AGENT_TOOLS_PROGRAM], ({ data }) => {
    if (data[0] !== PROFILE_KEY) return 'other-kind'
    return data.length < PROFILE_BYTES ? 'malformed' : { wallet: addressAt(data, 8) }
  })
