import type { AgentCard } from '@slipway/client'
import { type ReactNode, useMemo } from 'react'
import { ExternalLink } from '../../components/external-link.tsx'
import { LongText } from '../../components/long-text.tsx'
import { Panel } from '../../components/panel.tsx'
import { Tags } from '../../components/tags.tsx'
import { plural } from '../../lib/format.ts'
import { parseLink } from '../../lib/safe-links.ts'
import styles from './agent-card.module.css'
import { type CardContent, parseCard } from './parse-card.ts'
import { SignatureBadge, signatureMeaning } from './signature-badge.tsx'
import type { SignatureState } from './signature-state.ts'

/** With more, the page would show little else. */
const SKILLS_SHOWN = 6
const SKILL_LENGTH_MAX = 280

/** The agent's card: where to reach it, what it can do, and what it understands. */
export function AgentCardPanel({ card, signature }: { card: AgentCard; signature: SignatureState }) {
  const content = useMemo(() => parseCard(card), [card])
  return (
    <Panel title="Card" aside={<SignatureBadge state={signature} />}>
      <div className={styles.card}>
        <Part title="Reach it at">
          <Interfaces interfaces={content.interfaces} />
        </Part>
        {content.skills.length > 0 && (
          <Part title={content.skills.length > 1 ? `Skills (${content.skills.length})` : 'Skill'}>
            <Skills skills={content.skills} />
          </Part>
        )}
        <div className={styles.modes}>
          <Modes title="Understands" modes={content.inputModes} />
          <Modes title="Answers with" modes={content.outputModes} />
          <Modes title="Can do" modes={content.capabilities} />
          <About content={content} />
        </div>
        <p className={styles.meaning}>{signatureMeaning(signature)}</p>
      </div>
    </Panel>
  )
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section>
    <h3 className={styles.title}>{title}</h3>
    {children}
  </section>
)

function Interfaces({ interfaces }: Pick<CardContent, 'interfaces'>) {
  if (interfaces.length === 0) return <p className={styles.none}>The card names no address.</p>
  return (
    <ul className={styles.interfaces}>
      {interfaces.map(({ url, binding, version }) => (
        <li key={`${binding} ${url}`}>
          <ExternalLink url={url} />
          <span className={styles.protocol}>
            <bdi>{binding ?? 'A2A'}</bdi>
            {version && (
              <>
                {' '}
                <bdi>{version}</bdi>
              </>
            )}
          </span>
        </li>
      ))}
    </ul>
  )
}

function Skills({ skills }: Pick<CardContent, 'skills'>) {
  const rest = skills.slice(SKILLS_SHOWN)
  return (
    <>
      <SkillList skills={skills.slice(0, SKILLS_SHOWN)} />
      {rest.length > 0 && (
        <details className={styles.rest}>
          <summary className="reach">{plural(rest.length, 'more skill')}</summary>
          <SkillList skills={rest} />
        </details>
      )}
    </>
  )
}

const SkillList = ({ skills }: Pick<CardContent, 'skills'>) => (
  <ul className={styles.skills}>
    {skills.map(({ id, name, description, tags }) => (
      <li key={id}>
        <h4>
          <bdi>{name}</bdi>
        </h4>
        {description && <LongText text={description} lengthMax={SKILL_LENGTH_MAX} />}
        {tags.length > 0 && <Tags tags={tags} label="Tags" />}
      </li>
    ))}
  </ul>
)

function Modes({ title, modes }: { title: string; modes: readonly string[] }) {
  if (modes.length === 0) return null
  return (
    <Part title={title}>
      <Tags tags={modes} label={title} />
    </Part>
  )
}

const About = ({ content: { provider, version, documentationUrl } }: { content: CardContent }) => (
  <>
    {provider && (
      <Part title="Provided by">
        {parseLink(provider.url) ? (
          <ExternalLink url={provider.url ?? ''} text={provider.name} />
        ) : (
          <bdi>{provider.name}</bdi>
        )}
      </Part>
    )}
    {documentationUrl && (
      <Part title="Documentation">
        <ExternalLink url={documentationUrl} />
      </Part>
    )}
    {version && (
      <Part title="Version">
        <bdi>{version}</bdi>
      </Part>
    )}
  </>
)
