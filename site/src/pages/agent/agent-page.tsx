import { type Agent, type Network, SlipwayError } from '@slipway/client'
import { useQuery } from '@tanstack/react-query'
import { ChevronLeft } from 'lucide-react'
import { Link, useSearch } from 'wouter'
import { Button } from '../../components/button.tsx'
import { Notice } from '../../components/notice.tsx'
import { Panel } from '../../components/panel.tsx'
import { agentHref, agentTitle } from '../../lib/agents.ts'
import { agentQuery, tokenQuery } from '../../lib/queries.ts'
import { cut } from '../../lib/read-json.ts'
import { useSite } from '../../lib/site-context.ts'
import { useTitle } from '../../lib/title.ts'
import { ErrorPage } from '../error-page.tsx'
import { definePage, type LoadContext, loadOptional } from '../page.ts'
import styles from './agent.module.css'
import { AgentCardPanel } from './agent-card.tsx'
import { AgentHead } from './agent-head.tsx'
import { AgentIdentity, AgentJson, AgentServices, AgentWallet } from './agent-identity.tsx'
import { AgentTokens, listTokens, TOKENS_SHOWN } from './agent-tokens.tsx'
import { useSignature } from './use-signature.ts'

const DESCRIPTION_LENGTH_MAX = 200

export const agentPage = definePage<'address'>({
  path: '/agents/:address',
  Component: AgentPage,
  async load(context, { address }, search) {
    const { slipway, settings } = context
    const { network, agent } = await findAgent(context, address, search.get('network'))
    const tokens = await Promise.all(
      listTokens(agent)
        .slice(0, TOKENS_SHOWN)
        .map(token => loadOptional(context, tokenQuery(slipway, network, token.address))),
    )
    const title = cut(agentTitle(agent), DESCRIPTION_LENGTH_MAX)
    return {
      head: {
        title,
        description: describe(agent),
        path: agentHref(address, network, settings.networks),
        ...(agent.image !== undefined && { image: agent.image }),
      },
      data: [
        [agentQuery(slipway, network, address).queryKey, pickShown(agent)],
        [NETWORK_KEY(address), network],
        ...tokens.flat(),
      ],
    }
  },
})

/** The network that the page was found on, if the address does not say. */
const NETWORK_KEY = (address: string) => ['agent-network', address]

/** On the network that was asked for, or else on the first that has it: addresses are unique across networks. */
async function findAgent(
  { queryClient, slipway, settings }: LoadContext,
  address: string,
  wanted: string | null,
): Promise<{ network: Network; agent: Agent }> {
  const networks = settings.networks.includes(wanted ?? '') ? [wanted as string] : settings.networks
  let missing: unknown
  for (const network of networks as Network[]) {
    try {
      const query = { ...agentQuery(slipway, network, address), staleTime: AGENT_FRESH_MS }
      return { network, agent: await queryClient.fetchQuery(query) }
    } catch (error) {
      if (!(error instanceof SlipwayError) || error.status !== 404) throw error
      missing = error
    }
  }
  throw missing ?? new SlipwayError('Agent not found', { status: 404, code: 'AGENT_NOT_FOUND' })
}
const AGENT_FRESH_MS = 2_000

/** The document of an agent may have any number of other fields. The page shows none of them, so they stay behind. */
function pickShown(agent: Agent): Agent {
  const { address, name, description, image, walletAddress, owner, authority, agentMetadataUri } = agent
  const { agentToken, a2aCard, verifiedAt, tokens, agentTokenInfo } = agent
  const { services, endpoints, registrations, active, x402Support, supportedTrust } = agent
  return {
    ...{ address, name, description, walletAddress, owner, a2aCard, verifiedAt, tokens },
    ...(image !== undefined && { image }),
    ...(authority !== undefined && { authority }),
    ...(agentMetadataUri !== undefined && { agentMetadataUri }),
    ...(agentToken !== undefined && { agentToken }),
    ...(agentTokenInfo !== undefined && { agentTokenInfo }),
    ...{ services, endpoints, registrations, active, x402Support, supportedTrust },
  }
}

function describe({ description }: Agent): string {
  const text = description.replaceAll(/\s+/g, ' ').trim()
  return text === ''
    ? 'An agent registered on the chain: its card, identity, wallet and tokens.'
    : cut(text, DESCRIPTION_LENGTH_MAX)
}

function AgentPage({ params: { address } }: { params: { address: string } }) {
  const { slipway, settings } = useSite()
  const wanted = new URLSearchParams(useSearch()).get('network')
  const found = useQuery<Network>({ queryKey: NETWORK_KEY(address), enabled: false })
  const network = (
    settings.networks.includes(wanted ?? '') ? wanted : (found.data ?? settings.networks[0])
  ) as Network
  const { data, error, isError, refetch } = useQuery(agentQuery(slipway, network, address))
  useTitle(data ? agentTitle(data) : 'Agent')

  if (error instanceof SlipwayError && error.status === 404)
    return data ? <NoLongerListed /> : <ErrorPage status={404} path={`/agents/${address}`} />
  if (data) return <Content agent={data} network={network} isStale={isError} />
  if (isError)
    return (
      <Notice
        kind="error"
        level={1}
        title="The service is not answering"
        action={
          <>
            <Button onClick={() => void refetch()}>Try again</Button>
            <Link href="/status">Status</Link>
          </>
        }
      >
        This agent could not be loaded. Nothing is lost; it comes back with the service.
      </Notice>
    )
  return <AgentSkeleton />
}

function Content({ agent, network, isStale }: { agent: Agent; network: Network; isStale: boolean }) {
  const { a2aCard } = agent
  const signature = useSignature(a2aCard)
  return (
    <article className={styles.agent}>
      <BackLink />
      {isStale && (
        <p role="status" className={styles.stale}>
          Not updating: the service is not answering. What you see is from before.
        </p>
      )}
      <AgentHead agent={agent} network={network} />
      <div className={styles.columns}>
        <div className={styles.column}>
          {a2aCard ? <AgentCardPanel card={a2aCard} signature={signature} /> : <NoCard />}
          <AgentServices agent={agent} />
        </div>
        <div className={styles.column}>
          <AgentTokens agent={agent} network={network} />
          <AgentWallet agent={agent} network={network} />
          <AgentIdentity agent={agent} network={network} signature={signature} />
          <AgentJson agent={agent} network={network} />
        </div>
      </div>
    </article>
  )
}

const NoCard = () => (
  <Panel title="Card">
    <Notice level={3} title="No card">
      Its registration document could not be read or names nothing to call, so there is no card to build from
      it.
    </Notice>
  </Panel>
)

const BackLink = () => (
  <Link href="/agents" className={styles.back}>
    <ChevronLeft size={16} strokeWidth={1.5} aria-hidden="true" />
    Agents
  </Link>
)

const NoLongerListed = () => (
  <Notice level={1} title="No longer listed" action={<Link href="/agents">All agents</Link>}>
    This agent was taken off the list while you were here. Its accounts on the chain are untouched.
  </Notice>
)

function AgentSkeleton() {
  return (
    <div className={styles.agent} role="status" aria-label="Loading the agent">
      <BackLink />
      <div className={styles.placeholderHead} />
      <div className={styles.columns}>
        <div className={styles.placeholder} />
        <div className={styles.placeholder} />
      </div>
    </div>
  )
}
