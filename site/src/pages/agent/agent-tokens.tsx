import type { Agent, BaseToken, Network } from '@slipway/client'
import { useQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import { Link } from 'wouter'
import { Panel } from '../../components/layout.tsx'
import { Address } from '../../components/text.tsx'
import { TokenPicture } from '../../components/token-picture.tsx'
import { launchHref } from '../../lib/launches.ts'
import { cut } from '../../lib/parse-json.ts'
import { tokenQuery } from '../../lib/queries.ts'
import { useSite } from '../../lib/site-context.ts'
import styles from './agent.module.css'

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
      <ul className={styles.tokens}>
        {tokens.slice(0, TOKENS_SHOWN).map(token => (
          <li key={token.address}>
            <Token
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
          </li>
        ))}
        {agentToken && !agentTokenInfo && !tokens.some(({ address }) => address === agentToken) && (
          <li className={styles.bareToken}>
            <span>Named by it as its token, not launched here</span>
            <Address address={agentToken} network={network} label="the token’s address" />
          </li>
        )}
      </ul>
      {tokens.length > TOKENS_SHOWN && (
        <p className={styles.note}>
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
  const text = (
    <>
      <TokenPicture image={token.image} name={name} address={token.address} size={44} />
      <span className={styles.tokenText}>
        <b>
          <bdi>{name}</bdi>
        </b>
        <span>
          <bdi className={styles.symbol}>{cut(token.symbol, SYMBOL_LENGTH_MAX)}</bdi>
          {relation}
          {!launch && ', not listed here'}
        </span>
      </span>
    </>
  )
  if (!launch)
    return (
      <span className={styles.token}>
        {text}
        <Address address={token.address} network={network} label="the token’s address" />
      </span>
    )
  return (
    <Link href={launchHref(launch.genesisAddress, network, settings.networks)} className={styles.token}>
      {text}
      <ChevronRight size={20} strokeWidth={1.5} aria-hidden="true" />
    </Link>
  )
}
