import type { Agent, AgentCard } from '@slipway/client'
import { type ReactNode, useMemo } from 'react'
import { Panel } from '../../components/layout.tsx'
import { ExternalLink, LongText, Tags } from '../../components/text.tsx'
import { plural } from '../../lib/format.ts'
import { parseLink } from '../../lib/safe-links.ts'
import { describeService } from '../../lib/service-words.ts'
import styles from './agent-card.module.css'
import { describeMode } from './card-words.ts'
import { type CardContent, parseCard } from './parse-card.ts'
import { SignatureBadge, signatureMeaning } from './signature-badge.tsx'
import type { SignatureState } from './signature-state.ts'
import { listWays, type Way } from './ways.ts'

/** With more, the page would show little else. */
const SKILLS_SHOWN = 6
const SKILL_LENGTH_MAX = 280
const WAYS_SHOWN = 16

/** The agent's card: where to reach it, what it can do, and what it understands. */
export function AgentCardPanel({
  agent,
  card,
  signature,
}: {
  agent: Agent
  card: AgentCard
  signature: SignatureState
}) {
  const content = useMemo(() => parseCard(card), [card])
  return (
    <Panel title="Card" aside={<SignatureBadge state={signature} />}>
      <div className={styles.card}>
        <Part title="Reach it at">
          <Ways ways={listWays(agent, content.interfaces)} />
        </Part>
        {content.skills.length > 0 && (
          <Part title={content.skills.length > 1 ? `Skills (${content.skills.length})` : 'Skill'}>
            <Skills skills={content.skills} />
          </Part>
        )}
        <div className={styles.modes}>
          <Modes title="Understands" modes={content.inputModes.map(describeMode)} />
          <Modes title="Answers with" modes={content.outputModes.map(describeMode)} />
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

/** Addresses, with what each protocol is for. */
export function Ways({ ways }: { ways: readonly Way[] }) {
  if (ways.length === 0)
    return <p className={styles.none}>It can’t be called yet: its card names no address.</p>
  return (
    <>
      <ul className={styles.ways}>
        {ways.slice(0, WAYS_SHOWN).map(({ url, name, detail }) => (
          <li key={`${name} ${detail} ${url}`}>
            <ExternalLink url={url} />
            <span className={styles.protocol}>
              <bdi>{name}</bdi> <bdi>{detail}</bdi>
            </span>
            {describeService(name) && <span className={styles.purpose}>{describeService(name)}</span>}
          </li>
        ))}
      </ul>
      {ways.length > WAYS_SHOWN && (
        <p className={styles.none}>{ways.length - WAYS_SHOWN} more are in the JSON.</p>
      )}
    </>
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
      <Tags tags={[...new Set(modes)]} label={title} />
    </Part>
  )
}

const About = ({ content: { provider, documentationUrl } }: { content: CardContent }) => (
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
  </>
)
