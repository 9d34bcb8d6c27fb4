import type { Agent, Network } from '@slipway/client'
import { DEFAULT_NETWORK } from '@slipway/launch-model/networks'
import { Braces } from 'lucide-react'
import type { ReactNode } from 'react'
import { Facts, Panel } from '../../components/layout.tsx'
import { Address, ExternalLink } from '../../components/text.tsx'
import { networkName, shorten } from '../../lib/format.ts'
import { cut, isObject, parseList, parseText, parseTexts } from '../../lib/parse-json.ts'
import { useSite } from '../../lib/site-context.ts'
import { walletHref } from '../../lib/wallets.ts'
import styles from './agent.module.css'
import { describeTrust } from './card-words.ts'
import { parseCard } from './parse-card.ts'

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
      <details className={styles.technical}>
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
