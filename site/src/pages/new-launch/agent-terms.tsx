import type { Agent, Network } from '@slipway/client'
import { useId } from 'react'
import { Link } from 'wouter'
import { agentHref, agentTitle } from '../../lib/agents.ts'
import { shorten } from '../../lib/format.ts'
import { useSite } from '../../lib/site-context.ts'
import type { Draft } from './draft.ts'
import formStyles from './form.module.css'
import type { SectionProps } from './section.ts'
import styles from './who-section.module.css'

/** Explains a launch by an agent, with the choices that it needs. */
export function AgentTerms({
  draft,
  faults,
  onChange,
  agent,
  network,
}: SectionProps & { agent: Agent; network: Network }) {
  const { networks } = useSite().settings
  const name = <bdi>{agentTitle(agent)}</bdi>
  return (
    <>
      <p className={formStyles.note}>
        <Link href={agentHref(agent.address, network, networks)}>{name}</Link> becomes the creator of the
        launch, and the agent’s page lists the token. You sign and pay as the agent’s owner. If the agent is
        sold, the launch goes with it.
      </p>
      <OwnToken {...{ draft, faults, onChange, agent }} />
      <fieldset className={formStyles.lock}>
        <legend>
          {draft.mechanic === 'bondingCurve' ? 'Creator fees go to' : 'The creator’s share goes to'}
        </legend>
        {EARNERS.map(([value, text]) => (
          <label key={value}>
            <input
              type="radio"
              name="earner"
              value={value}
              checked={draft.earner === value}
              onChange={() => onChange({ earner: value })}
            />
            {text}
          </label>
        ))}
        {draft.earner === 'agent' && (
          <p className={`${formStyles.note} ${styles.wide}`}>
            What the agent earns belongs to its owner. If you sell the agent, the buyer gets it. Earnings
            arrive as {draft.mechanic === 'bondingCurve' ? 'wrapped SOL' : 'wrapped SOL and tokens'}. The
            owner withdraws them on the agent’s page, where wrapped SOL becomes SOL.
          </p>
        )}
      </fieldset>
    </>
  )
}

const EARNERS: [Draft['earner'], string][] = [
  ['wallet', 'your wallet'],
  ['agent', 'the agent’s wallet'],
]

/** An agent can get only one token of its own. */
function OwnToken({ draft, faults, onChange, agent }: SectionProps & { agent: Agent }) {
  const id = useId()
  const { agentToken: token, agentTokenInfo: info } = agent
  const name = <bdi>{agentTitle(agent)}</bdi>
  if (token)
    return (
      <p className={formStyles.note}>
        {name} has its own token already: <bdi>{info?.symbol ?? shorten(token)}</bdi>. That can’t change, so
        this one will be another token that it launched.
      </p>
    )
  return (
    <div className={styles.ownToken}>
      <label>
        <input
          type="checkbox"
          name="agentToken"
          checked={draft.agentToken === 'yes'}
          onChange={event => onChange({ agentToken: event.target.checked ? 'yes' : 'no' })}
          aria-describedby={`${id}-hint ${id}-error`}
          aria-invalid={faults.agentToken ? true : undefined}
        />
        <span>Make this {name}’s own token</span>
      </label>
      <p id={`${id}-hint`} className={formStyles.note}>
        The agent’s identity then names this token. An agent has one token of its own, and it can never be
        changed or taken back. Leave it off if you are not sure.
      </p>
      <p id={`${id}-error`} role={faults.agentToken ? 'alert' : undefined} className={styles.error}>
        {faults.agentToken}
      </p>
    </div>
  )
}
