import type { Agent, Network } from '@slipway/client'
import { Time } from '../../components/figures.tsx'
import { LongText, VerifiedMark } from '../../components/text.tsx'
import { TokenPicture } from '../../components/token-picture.tsx'
import { agentTitle } from '../../lib/agents.ts'
import { networkName } from '../../lib/format.ts'
import styles from './agent.module.css'

const DESCRIPTION_LENGTH_MAX = 400

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
          <LongText text={description} lengthMax={DESCRIPTION_LENGTH_MAX} />
        ) : (
          <p className={styles.kind}>No description</p>
        )}
      </div>
    </header>
  )
}
