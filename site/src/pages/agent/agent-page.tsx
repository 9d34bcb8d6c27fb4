import { type Agent, type Network, SlipwayError } from '@slipway/client'
import { useQuery } from '@tanstack/react-query'
import { DetailPage, DetailSkeleton } from '../../components/detail-page.tsx'
import { Unreachable } from '../../components/failure.tsx'
import { Time } from '../../components/figures.tsx'
import { Facts, Panel } from '../../components/layout.tsx'
import { NoLongerListed, Notice } from '../../components/notice.tsx'
import { LongText, VerifiedMark } from '../../components/text.tsx'
import { TokenPicture } from '../../components/token-picture.tsx'
import { agentHref, agentTitle } from '../../lib/agents.ts'
import { networkName } from '../../lib/format.ts'
import { useTitle } from '../../lib/hooks.ts'
import { lazyPart } from '../../lib/load-part.ts'
import { loadFromNetwork, useNetworkOf } from '../../lib/networks.ts'
import { cut } from '../../lib/parse-json.ts'
import { agentQuery, tokenQuery } from '../../lib/queries.ts'
import { useSite } from '../../lib/site-context.ts'
import { OwnerLine } from '../../owner-changes/owner-line.tsx'
import { useWallet } from '../../wallet/wallet-store.ts'
import { ErrorPage } from '../error-page.tsx'
import { definePage, loadOptional } from '../page.ts'
import styles from './agent.module.css'
import { AgentCardPanel, useSignature, Ways } from './agent-card.tsx'
import { AgentDelegates } from './agent-delegates.tsx'
import {
  AgentIdentity,
  AgentJson,
  AgentTokens,
  Document,
  listTokens,
  TOKENS_SHOWN,
} from './agent-identity.tsx'
import { useAgentWallet } from './agent-wallet.tsx'
import { listWays } from './ways.ts'

const DESCRIPTION_LENGTH_MAX = 200

export const agentPage = definePage<'address'>({
  path: '/agents/:address',
  Component: AgentPage,
  async load(context, { address }, search) {
    const { slipway, settings } = context
    const {
      network,
      data: agent,
      found,
    } = await loadFromNetwork(
      network =>
        context.queryClient.fetchQuery({
          ...agentQuery(slipway, network, address),
          staleTime: AGENT_FRESH_MS,
        }),
      address,
      search,
      settings.networks,
    )
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
        ...(agent.a2aCard && { card: `/v1/networks/${network}/agents/${address}/agent-card.json` }),
        ...(agent.image !== undefined && { image: agent.image }),
      },
      data: [[agentQuery(slipway, network, address).queryKey, pickShown(agent)], found, ...tokens.flat()],
    }
  },
})

const AGENT_FRESH_MS = 2_000

/** The document of an agent may have any number of other fields. The page shows none of them, so they are left out. */
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
  const { slipway } = useSite()
  const network = useNetworkOf(address)
  const { data, error, isError, refetch } = useQuery(agentQuery(slipway, network, address))
  useTitle(data ? agentTitle(data) : 'Agent')

  if (error instanceof SlipwayError && error.status === 404)
    return data ? (
      <NoLongerListed what="agent" all={{ href: '/agents', label: 'All agents' }} />
    ) : (
      <ErrorPage status={404} path={`/agents/${address}`} />
    )
  if (data) return <Content agent={data} network={network} staleError={error} />
  if (isError)
    return (
      <Unreachable error={error} onRetry={() => void refetch()}>
        This agent could not be loaded. Nothing is lost; it comes back with the service.
      </Unreachable>
    )
  return <DetailSkeleton back={BACK} label="Loading the agent" />
}

const BACK = { href: '/agents', label: 'Agents' }

function Content({ agent, network, staleError }: { agent: Agent; network: Network; staleError: unknown }) {
  const { a2aCard } = agent
  const signature = useSignature(a2aCard)
  const wallet = useAgentWallet({ agent, network })
  return (
    <DetailPage
      back={BACK}
      staleError={staleError}
      head={<AgentHead agent={agent} network={network} />}
      main={
        <>
          {a2aCard ? (
            <AgentCardPanel agent={agent} card={a2aCard} signature={signature} />
          ) : (
            <NoCard agent={agent} />
          )}
          <OwnCard agent={agent} network={network} />
          <div className={styles.background}>
            <AgentIdentity agent={agent} network={network} />
            <AgentJson agent={agent} network={network} />
          </div>
        </>
      }
      aside={
        <>
          {wallet.panel}
          <AgentDelegates agent={agent} network={network} />
          <AgentTokens agent={agent} network={network} />
        </>
      }
      bar={wallet.bar}
    />
  )
}

function NoCard({ agent }: { agent: Agent }) {
  const ways = listWays(agent, [])
  const { agentMetadataUri: uri } = agent
  return (
    <>
      <Panel title="Card">
        <Notice level={3} title="No card">
          {uri
            ? 'Its registration document could not be read or doesn’t name the agent, so no card can be built from it. The agent’s owner can fix the document, or sign a card here.'
            : 'This agent has no registration document, so it has no card. Its owner can add one, or sign a card here.'}
        </Notice>
        {uri && (
          <Facts
            facts={{
              Document: <Document uri={uri} />,
            }}
          />
        )}
      </Panel>
      {ways.length > 0 && (
        <Panel title="Reach it at">
          <Ways ways={ways} />
        </Panel>
      )}
    </>
  )
}

const DESCRIPTION_SHOWN_MAX = 400

export function AgentHead({ agent, network }: { agent: Agent; network: Network }) {
  const { image, address, description, verifiedAt } = agent
  const name = agentTitle(agent)
  return (
    <header className={styles.head}>
      <TokenPicture image={image} name={name} address={address} size={88} />
      <div className={styles.who}>
        <h1>
          <bdi>{name}</bdi>
          {verifiedAt && <VerifiedMark size={24} />}
        </h1>
        <p className={styles.kind}>
          <span>Agent on {networkName(network)}</span>
          {agent.active === false && <span className={styles.inactive}>Says it is inactive</span>}
          {verifiedAt && (
            <span>
              Verified by the operator, <Time at={verifiedAt} />
            </span>
          )}
        </p>
        {description ? (
          <LongText text={description} lengthMax={DESCRIPTION_SHOWN_MAX} />
        ) : (
          <p className={styles.kind}>No description</p>
        )}
      </div>
    </header>
  )
}

const CardDialog = lazyPart(() => import('./card-dialog.tsx'))

/** Lets the owner of an agent replace or remove its card. */
function OwnCard(props: { agent: Agent; network: Network }) {
  const { account } = useWallet()
  const draftName = `card:${props.network}:${props.agent.address}`
  return (
    <OwnerLine
      question={account?.address === props.agent.owner ? 'This is your agent.' : 'Is this your agent?'}
      action="Change its card"
      draftName={draftName}
      unfinished="You have not signed your changes to its card."
    >
      {onClose => <CardDialog {...props} {...{ draftName, onClose }} />}
    </OwnerLine>
  )
}
