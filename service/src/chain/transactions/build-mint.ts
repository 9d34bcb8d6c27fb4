import { identityAddress } from '@slipway/launch-model/addresses'
import { type Instruction, readonly, writable, writableSigner } from '@slipway/launch-model/call'
import { CORE_PROGRAM, IDENTITY_PROGRAM, SYSTEM_PROGRAM } from '@slipway/launch-model/programs'
import type { Address } from '@slipway/schema/address'
import { compileTransaction } from './compile-transaction.ts'
import { encodeText } from './encode-fields.ts'

export interface Mint {
  /** Signs too, because its account is created. */
  asset: Address
  /** Pays, signs, and owns the asset. It is also the asset's update authority, unless that is the collection. */
  wallet: Address
  /** The wallet must be its update authority or a delegate. */
  collection?: Address | undefined
  name: string
  uri: string
  /** The URI of the registration document. */
  agentUri: string
  blockhash: string
}

/** What the wallet signs to create an asset and register it as an agent. Base64, unsigned. */
export const buildMintTransaction = (mint: Mint): string =>
  compileTransaction(mint.wallet, [createAsset(mint), registerIdentity(mint)], mint.blockhash)

/** An optional account that is not given is written as the program itself. */
const optional = (address: Address | undefined, program: Address) =>
  address ? writable(address) : readonly(program)

const CREATE_V2 = 20
const ACCOUNT_STATE = 0
/** An empty list as an optional value. */
const NO_PLUGINS = Uint8Array.of(1, 0, 0, 0, 0)

/** `createV2` of Core, without plugins. */
const createAsset = ({ asset, wallet, collection, name, uri }: Mint): Instruction => ({
  program: CORE_PROGRAM,
  accounts: [
    writableSigner(asset),
    optional(collection, CORE_PROGRAM),
    // The authority, which is the payer.
    readonly(CORE_PROGRAM),
    writableSigner(wallet),
    // The owner and the update authority: the payer as well.
    readonly(CORE_PROGRAM),
    readonly(CORE_PROGRAM),
    readonly(SYSTEM_PROGRAM),
    // The log wrapper.
    readonly(CORE_PROGRAM),
  ],
  data: Buffer.concat([
    Uint8Array.of(CREATE_V2, ACCOUNT_STATE),
    encodeText(name),
    encodeText(uri),
    NO_PLUGINS,
    // External plugins.
    NO_PLUGINS,
  ]),
})

/** The instruction's number, padded to eight bytes. */
const REGISTER_IDENTITY_V1 = new Uint8Array(8)

/** `registerIdentityV1` of the identity program. */
const registerIdentity = ({ asset, wallet, collection, agentUri }: Mint): Instruction => ({
  program: IDENTITY_PROGRAM,
  accounts: [
    writable(identityAddress(asset)),
    writable(asset),
    optional(collection, IDENTITY_PROGRAM),
    writableSigner(wallet),
    // The authority, which is the payer.
    readonly(IDENTITY_PROGRAM),
    readonly(CORE_PROGRAM),
    readonly(SYSTEM_PROGRAM),
  ],
  data: Buffer.concat([REGISTER_IDENTITY_V1, encodeText(agentUri)]),
})
