import { assetSignerAddress } from '@slipway/launch-model/addresses'
import { type Address, AddressString } from '@slipway/schema/address'
import { describeIssue } from '@slipway/schema/describe-issue'
import { ServiceError } from '@slipway/schema/errors'
import { type Network, NetworkInput } from '@slipway/schema/network'
import { OWNER_SIGNATURE_EXAMPLE, OwnerSignature } from '@slipway/schema/owner-change'
import { ExternalLinks } from '@slipway/schema/registration'
import { Success } from '@slipway/schema/transaction'
import { z } from 'zod'
import type { ChainAccount, CheckedReader } from '../chain/account-reader.ts'
import { decodeAsset } from '../chain/accounts/asset.ts'
import { decodeGenesisAccount } from '../chain/accounts/genesis-account.ts'
import { isAgentMissing } from '../chain/agent-facts.ts'
import { defineEndpoint, type Endpoint, type ShowChange } from '../endpoint/endpoint.ts'
import { digestJson } from '../lib/digest-json.ts'
import { applySignedChange } from '../owner-changes/apply-signed-change.ts'
import { lockAgent } from '../store/agents.ts'
import type { Database } from '../store/database.ts'
import { saveLinks } from '../store/launches.ts'
import { findLaunch } from '../store/read-launches.ts'
import { LaunchParams } from './launch-params.ts'
import type { LaunchSnapshots } from './launch-snapshots.ts'

/** Links as the authority sends them: parsed, with the hash that is signed. */
const SignedLinks = z
  .custom<object>(value => typeof value === 'object' && value !== null && !Array.isArray(value), {
    error: 'must be an object',
  })
  .transform((sent, context) => {
    const parsed = ExternalLinks.safeParse(sent, { error: describeIssue })
    for (const { path, message } of parsed.error?.issues ?? [])
      context.addIssue({ code: 'custom', path, message })
    const sha256 = digestJson(sent)
    if (sha256 === undefined)
      context.addIssue({ code: 'custom', message: 'has no canonical form (RFC 8785)' })
    return parsed.success && sha256 !== undefined ? { sha256, links: parsed.data } : z.NEVER
  })
  .meta(linksJsonSchema())

/** The fields of a registration's links. */
function linksJsonSchema() {
  const { $schema: _, ...schema } = z.toJSONSchema(ExternalLinks, { io: 'input', unrepresentable: 'any' })
  return { ...schema, description: 'All links of the launch.' } as Record<string, unknown>
}

export function changeLaunchLinksEndpoint({
  database,
  chains,
  snapshots,
  showChange,
  publicUrl: deployment,
}: {
  database: Database
  /** The networks that this deployment serves. */
  chains: Partial<Record<Network, { rpc: CheckedReader }>>
  snapshots: Pick<LaunchSnapshots, 'show'>
  showChange: ShowChange
  publicUrl: string
}): Endpoint {
  return defineEndpoint({
    method: 'PUT',
    path: '/v1/launches/{genesisAddress}/links',
    id: 'changeLaunchLinks',
    clientCall: 'launches.changeLinks',
    tag: 'Launches',
    summary: 'Change the links of a launch',
    description: `**Needs a signature of the launch's authority**, as [Owner-signed changes](#tag/owner-signed-changes) explains. The signature in the example is made up, so sending it returns 401 \`Invalid signature\`.

Replaces all links of a registered launch. A link that is left out is removed, and a new social link is unverified until it is proven again.

The launch's authority on the chain signs a text that names the deployment, the network, the launch and the SHA-256 of the RFC 8785 form of \`externalLinks\`. If an agent created the launch, its wallet is the authority, and the agent's owner signs.`,
    params: LaunchParams,
    query: z.object({ network: NetworkInput }),
    body: OwnerSignature.extend({
      externalLinks: SignedLinks,
      agent: AddressString.nullish().meta({
        description:
          'The agent that created the launch, if `owner` signs as its owner. Not needed if the launch was registered with the agent. It is not part of the signed text: the chain shows whether its wallet is the authority.',
      }),
    }).meta({
      examples: [
        {
          externalLinks: { website: 'https://patchbot.example', social: '@patchbot' },
          ...OWNER_SIGNATURE_EXAMPLE,
        },
      ],
    }),
    faults: { genesisAddress: 'LAUNCH_NOT_FOUND' },
    success: {
      description:
        'The links are changed. This node shows them from now on, and all other nodes show them within a second.',
      schema: z.object({ success: Success }),
      example: { success: true },
    },
    errors: ['INVALID_INPUT', 'INVALID_SIGNATURE', 'NOT_AUTHORIZED', 'LAUNCH_NOT_FOUND'],
    reportsDetails: true,
    async answer({
      params: { genesisAddress },
      query: { network },
      body: { externalLinks, agent, ...signed },
      deadline,
    }) {
      const { sha256, links } = externalLinks
      const reader = chains[network]?.rpc
      if (!reader) throw new ServiceError('LAUNCH_NOT_FOUND')
      const change = {
        purpose: 'change launch links',
        deployment,
        network,
        address: genesisAddress,
        sha256,
      } as const
      await applySignedChange(database, change, signed, {
        deadline,
        async assertOwner(owner) {
          const launch = await findLaunch(database, network, genesisAddress)
          if (!launch || launch.hidden) throw new ServiceError('LAUNCH_NOT_FOUND')
          const claim = { address: genesisAddress, agent: agent ?? launch.agent }
          return assertLaunchAuthority(reader, claim, owner)
        },
        async apply(db, controlling) {
          // The index may have seen a transfer that the endpoint had not.
          const row = controlling && (await lockAgent(db, network, controlling.address))
          if (row && row.owner !== signed.owner && row.slot >= controlling.slot)
            throw new ServiceError('NOT_AUTHORIZED')
          await saveLinks(db, { network, genesisAddress }, links)
        },
      })
      await showChange(deadline, () => snapshots.show(network, [genesisAddress]))
      return { kind: 'json', value: { success: true } }
    },
  })
}

/** The agent through which a wallet controls a launch, and the slot at which the wallet owns that agent. */
interface ControllingAgent {
  address: Address
  slot: number
}

/**
 * Reads the chain and throws unless the wallet is the authority of this registered launch, or owns the agent whose
 * wallet is. The caller only claims `agent`: it counts if the authority is derived from it. Returns the agent if it
 * was needed.
 */
async function assertLaunchAuthority(
  reader: CheckedReader,
  { address, agent }: { address: Address; agent: Address | null },
  wallet: Address,
): Promise<ControllingAgent | undefined> {
  const sinceMs = performance.now()
  const { slot, accounts } = await reader.fetchAccounts(agent ? [address, agent] : [address])
  const genesis = decodeGenesisAccount(accounts[0] as ChainAccount)
  // The launch is registered, so an endpoint that lacks it is wrong or behind.
  if (!genesis.exists) throw lacking(address)
  const isAgents = agent !== null && assetSignerAddress(agent) === genesis.authority
  const owner = isAgents ? decodeOwner(accounts[1] as ChainAccount) : undefined
  await reader.confirmCluster(sinceMs)
  if (genesis.authority === wallet) return undefined
  if (!isAgents || owner !== wallet) throw new ServiceError('NOT_AUTHORIZED')
  return { address: agent, slot }
}

/**
 * The owner of an agent that created a launch. A burnt agent has none. If there is no account at all, the
 * endpoint is wrong or behind.
 */
function decodeOwner(account: ChainAccount): Address | undefined {
  const asset = decodeAsset(account)
  if (asset.exists) return asset.owner
  if (isAgentMissing(account)) throw lacking(account.address)
  return undefined
}

const lacking = (address: Address) =>
  new ServiceError('SERVICE_UNAVAILABLE', {
    cause: new Error(`the endpoint does not have ${address}, which must exist`),
  })
