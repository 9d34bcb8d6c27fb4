import type { Agent, BaseToken, Network } from '@slipway/client'
import { DEFAULT_NETWORK } from '@slipway/launch-model/networks'
import { useQuery } from '@tanstack/react-query'
import { Braces } from 'lucide-react'
import type { ReactNode } from 'react'
import { Facts, Panel } from '../../components/layout.tsx'
import { Row, Rows } from '../../components/rows.tsx'
import { Address, ExternalLink } from '../../components/text.tsx'
import { networkName, shorten } from '../../lib/format.ts'
import { launchHref } from '../../lib/launches.ts'
import { cut, isObject, parseList, parseText, parseTexts } from '../../lib/parse-json.ts'
import { tokenQuery } from '../../lib/queries.ts'
import { useSite } from '../../lib/site-context.ts'
import { walletHref } from '../../lib/wallets.ts'
import styles from './agent.module.css'
import { describeTrust, parseCard } from './parse-card.ts'

export function AgentIdentity({ agent, network }: { agent: Agent; network: Network }) {
  const { address, owner, walletAddress, authority, agentMetadataUri, a2aCard } = agent
  const trust = parseTexts(agent.supportedTrust).map(describeTrust)
  const { networks } = useSite().settings
  const hrefOf = (wallet: string) => walletHref(wallet, network, networks)
  return (
    <Panel title="Identity">
      <Facts
        facts={{
          Owner: (
            <Address address={owner} network={network} label="the owner’s address" href={hrefOf(owner)} />
          ),
          Wallet: (
            <Address
              address={walletAddress}
              network={network}
              label="the wallet’s address"
              href={hrefOf(walletAddress)}
            />
          ),
          Payments: agent.x402Support === true && 'Can be paid per request (x402)',
          'Can be judged by': trust.length > 0 && <bdi>{cut(trust.join(', '), 120)}</bdi>,
        }}
      />
      <details className="fold top-4">
        <summary className="reach">Technical details</summary>
        <Facts
          facts={{
            Asset: <Address address={address} network={network} label="the agent’s address" />,
            'Can change the asset': authority && (
              <Address address={authority} network={network} label="the authority’s address" />
            ),
            Registry: `Agent registry, ${networkName(network)}`,
            ...Object.fromEntries(otherRegistries(agent)),
            Document: agentMetadataUri ? <Document uri={agentMetadataUri} /> : 'None',
            'Version of the card': a2aCard && parseCard(a2aCard).version,
          }}
        />
      </details>
    </Panel>
  )
}

const URI_LENGTH_MAX = 80

/** A document may also be within the URI itself, or on another kind of network. */
export function Document({ uri }: { uri: string }) {
  if (/^https?:/i.test(uri)) return <ExternalLink url={uri} />
  return <bdi>{cut(uri, URI_LENGTH_MAX)}</bdi>
}

const REGISTRIES_MAX = 4

/** Registries that the document names besides this one. They are its claim. */
function otherRegistries({ registrations, address }: Agent): [string, ReactNode][] {
  return parseList(registrations)
    .flatMap(one => {
      if (!isObject(one)) return []
      const registry = parseText(one.agentRegistry)
      const id = typeof one.agentId === 'number' ? `${one.agentId}` : parseText(one.agentId)
      return registry && id !== address ? [{ registry, id }] : []
    })
    .slice(0, REGISTRIES_MAX)
    .map(({ registry, id }, at) => [
      at === 0 ? 'Also claims' : `Also claims ${at + 1}`,
      <bdi key={registry}>
        {cut(registry, URI_LENGTH_MAX)} {id && shorten(id, 6)}
      </bdi>,
    ])
}

export function AgentJson({ agent: { address, a2aCard }, network }: { agent: Agent; network: Network }) {
  const { basePath } = useSite()
  // The API's default, whichever networks the deployment serves.
  const query = network === DEFAULT_NETWORK ? '' : `?network=${network}`
  const path = `${basePath}/v1/agents/${address}`
  // The card's own URL.
  const cardPath = query
    ? `${basePath}/v1/networks/${network}/agents/${address}/agent-card.json`
    : `${path}/agent-card.json`
  return (
    <p className={styles.json}>
      <a href={`${path}${query}`} className="line-link">
        <Braces size={16} strokeWidth={1.5} aria-hidden="true" />
        This agent as JSON
      </a>
      {a2aCard && (
        <a href={cardPath} className="line-link">
          <Braces size={16} strokeWidth={1.5} aria-hidden="true" />
          Its card as JSON
        </a>
      )}
    </p>
  )
}

/** Each needs a request of its own. */
export const TOKENS_SHOWN = 12

const SYMBOL_LENGTH_MAX = 16

/** The tokens that the agent launched, its own one first. Its identity can name any token, which shows nothing by itself. */
export function AgentTokens({ agent, network }: { agent: Agent; network: Network }) {
  const { agentToken, agentTokenInfo } = agent
  const tokens = listTokens(agent)
  if (tokens.length === 0 && !agentToken) return null
  return (
    <Panel title={tokens.length > 1 ? 'Tokens' : 'Token'}>
      <Rows>
        {tokens.slice(0, TOKENS_SHOWN).map(token => (
          <Token
            key={token.address}
            token={token}
            relation={
              token.address !== agentToken
                ? 'Launched by it'
                : agent.tokens.some(({ address }) => address === agentToken)
                  ? 'Its own token'
                  : 'Named by it as its token; the token’s launch doesn’t name it'
            }
            network={network}
          />
        ))}
        {agentToken && !agentTokenInfo && !tokens.some(({ address }) => address === agentToken) && (
          <li className={styles.bareToken}>
            <span>Named by it as its token, not launched here</span>
            <Address address={agentToken} network={network} label="the token’s address" />
          </li>
        )}
      </Rows>
      {tokens.length > TOKENS_SHOWN && (
        <p className="small faint top-2">
          The {TOKENS_SHOWN} newest of {tokens.length}. All are in the JSON.
        </p>
      )}
    </Panel>
  )
}

export function listTokens({ tokens, agentToken, agentTokenInfo }: Agent): BaseToken[] {
  const all = agentTokenInfo ? [agentTokenInfo, ...tokens] : tokens
  const own = all.find(({ address }) => address === agentToken)
  return [...(own ? [own] : []), ...tokens.filter(({ address }) => address !== agentToken)]
}

function Token({ token, relation, network }: { token: BaseToken; relation: string; network: Network }) {
  const { slipway, settings } = useSite()
  const { data } = useQuery({ ...tokenQuery(slipway, network, token.address), staleTime: 60_000 })
  const launch = data?.launches[0]
  const name = token.name || token.symbol || 'Unnamed'
  return (
    <Row
      href={launch && launchHref(launch.genesisAddress, network, settings.networks)}
      address={token.address}
      image={token.image}
      title={name}
      end={<Address address={token.address} network={network} label="the token’s address" />}
    >
      <span className="small faint breakable">
        <bdi className={styles.symbol}>{cut(token.symbol, SYMBOL_LENGTH_MAX)}</bdi>
        {relation}
        {!launch && ', not listed here'}
      </span>
    </Row>
  )
}
