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
import { fetchAgentFacts, isAgentMissing } from '../chain/agent-facts.ts'
import { defineEndpoint, type Endpoint, type ShowChange } from '../endpoint/endpoint.ts'
import { digestJson } from '../lib/digest-json.ts'
import { applySignedChange } from '../owner-changes/apply-signed-change.ts'
import { lockAgent } from '../store/agents.ts'
import type { Database } from '../store/database.ts'
import { saveLinks } from '../store/launches.ts'
import { findLaunch } from '../store/read-launches.ts'
import { LaunchParams } from './launch-params.ts'
import type { LaunchSnapshots } from './launch-snapshots.ts'
import { findConsent } from './registration/check-on-chain.ts'

/** Links as the authority sends them, and parsed: what is signed is a hash of what was sent. */
const SentLinks = z
  .custom<object>(value => typeof value === 'object' && value !== null && !Array.isArray(value), {
    error: 'must be an object',
  })
  .transform((sent, context) => {
    const parsed = ExternalLinks.safeParse(sent, { error: describeIssue })
    for (const { path, message } of parsed.error?.issues ?? [])
      context.addIssue({ code: 'custom', path, message })
    // A signature over links and an agent must not be accepted for links alone: it would remove all of them.
    if ('externalLinks' in sent)
      context.addIssue({ code: 'custom', message: 'must not contain externalLinks' })
    if (digestJson(sent) === undefined)
      context.addIssue({ code: 'custom', message: 'has no canonical form (RFC 8785)' })
    return parsed.success ? { sent, links: parsed.data } : z.NEVER
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
    summary: 'Change the links or the agent of a launch',
    description: `**Needs a signature of the launch's authority**, as [Owner-signed changes](#tag/owner-signed-changes) explains. The signature in the example is made up, so sending it returns 401 \`Invalid signature\`.

Replaces all links of a registered launch. A link that is left out is removed, and a new social link is unverified until it is proven again.

The launch's authority on the chain signs a text that names the deployment, the network, the launch and the SHA-256 of the RFC 8785 form of \`externalLinks\`. If an agent created the launch, its wallet is the authority, and the agent's owner signs.

With \`agent\`, the authority also says which agent is behind the launch, or with \`null\` that none is. The SHA-256 is then that of \`{agent, externalLinks}\`. The agent has to agree: its wallet is the authority, or its identity names the launch's token. Otherwise the response is 400.`,
    params: LaunchParams,
    query: z.object({ network: NetworkInput }),
    body: OwnerSignature.extend({
      externalLinks: SentLinks,
      agent: AddressString.nullable().optional().meta({
        description:
          'The agent behind the launch, or `null` for none. Left out, it stays as it is. If `owner` signs as the owner of the agent that created the launch, name that agent, unless the launch was registered with it.',
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
      const { sent, links } = externalLinks
      const sha256 = digestJson(agent === undefined ? sent : { agent, externalLinks: sent })
      if (sha256 === undefined) throw new ServiceError('INVALID_INPUT')
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
          return assertLaunchAuthority(
            reader,
            { address: genesisAddress, named: agent, registered: launch.agent },
            owner,
          )
        },
        async apply(db, controlling) {
          // The index may have seen a transfer that the endpoint had not.
          const row = controlling && (await lockAgent(db, network, controlling.address))
          if (row && row.owner !== signed.owner && row.slot >= controlling.slot)
            throw new ServiceError('NOT_AUTHORIZED')
          await saveLinks(db, { network, genesisAddress }, { ...links, agent })
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
 * wallet is. The caller only claims that agent: it counts if the authority is derived from it. Throws as well if the
 * change names an agent that does not agree. Returns the agent through which the wallet controls the launch, if any.
 */
async function assertLaunchAuthority(
  reader: CheckedReader,
  {
    address,
    named,
    registered,
  }: { address: Address; named: Address | null | undefined; registered: Address | null },
  wallet: Address,
): Promise<ControllingAgent | undefined> {
  const sinceMs = performance.now()
  const candidates = [...new Set([named, registered])].filter(agent => typeof agent === 'string')
  const [{ slot, accounts }, namedAgent] = await Promise.all([
    reader.fetchAccounts([address, ...candidates]),
    named ? fetchAgentFacts(reader, named) : undefined,
  ])
  const genesis = decodeGenesisAccount(accounts[0] as ChainAccount)
  // The launch is registered, so an endpoint that lacks it is wrong or behind.
  if (!genesis.exists) throw lacking(address)
  const at = candidates.findIndex(agent => assetSignerAddress(agent) === genesis.authority)
  const owner = at === -1 ? undefined : decodeOwner(accounts[1 + at] as ChainAccount)
  await reader.confirmCluster(sinceMs)
  if (genesis.authority !== wallet && (owner === undefined || owner !== wallet))
    throw new ServiceError('NOT_AUTHORIZED')
  if (named && !(namedAgent?.facts && findConsent(genesis, named, namedAgent.facts)))
    throw new ServiceError('INVALID_INPUT', {
      details: [{ path: 'agent', message: "has neither created the launch nor named the launch's token" }],
    })
  return genesis.authority === wallet ? undefined : { address: candidates[at] as Address, slot }
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
