import { decodeGenesisData, type GenesisAccount } from '@slipway/launch-model/genesis-account'
import { GENESIS_PROGRAM } from '@slipway/launch-model/programs'
import type { ChainAccount } from '../account-reader.ts'
import { type Decoded, decodeProgramAccount } from './decode-account.ts'

export const decodeGenesisAccount = (account: ChainAccount): Decoded<GenesisAccount> =>
  decodeProgramAccount(account, [GENESIS_PROGRAM], ({ data }) => decodeGenesisData(data))
