import type { Agent, AgentCard } from '@slipway/client'
import { useQuery } from '@tanstack/react-query'
import {
  CircleDashed,
  FileQuestion,
  type LucideIcon,
  ShieldAlert,
  ShieldCheck,
  ShieldQuestion,
} from 'lucide-react'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { Panel } from '../../components/layout.tsx'
import { ExternalLink, LongText, Tags } from '../../components/text.tsx'
import { describeService } from '../../lib/agents.ts'
import { plural } from '../../lib/format.ts'
import { parseLink } from '../../lib/links.ts'
import { createPart } from '../../lib/load-part.ts'
import { useIsHydrated } from '../../lib/now.ts'
import { parseList } from '../../lib/parse-json.ts'
import { cardKeysQuery } from '../../lib/queries.ts'
import { useSite } from '../../lib/site-context.ts'
import styles from './agent.module.css'
import { type CardContent, describeMode, parseCard, type SignatureState } from './parse-card.ts'
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
  if (ways.length === 0) return <p className="soft">It can’t be called yet: its card names no address.</p>
  return (
    <>
      <ul className={styles.ways}>
        {ways.slice(0, WAYS_SHOWN).map(({ url, name, detail }) => (
          <li key={`${name} ${detail} ${url}`}>
            <ExternalLink url={url} />
            <span className="small soft">
              <bdi>{name}</bdi> <bdi>{detail}</bdi>
            </span>
            {describeService(name) && <span className={styles.purpose}>{describeService(name)}</span>}
          </li>
        ))}
      </ul>
      {ways.length > WAYS_SHOWN && <p className="soft">{ways.length - WAYS_SHOWN} more are in the JSON.</p>}
    </>
  )
}

function Skills({ skills }: Pick<CardContent, 'skills'>) {
  const rest = skills.slice(SKILLS_SHOWN)
  return (
    <>
      <SkillList skills={skills.slice(0, SKILLS_SHOWN)} />
      {rest.length > 0 && (
        <details className={`fold ${styles.rest}`}>
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

const STATES: Record<SignatureState, { Icon: LucideIcon; text: string; meaning: string }> = {
  none: {
    Icon: FileQuestion,
    text: 'Not signed',
    meaning: 'The card’s author stored it here without a signature.',
  },
  pending: {
    Icon: CircleDashed,
    text: 'Signed, not checked yet',
    meaning: 'Your browser checks the signature if scripts are allowed.',
  },
  own: {
    Icon: ShieldCheck,
    text: 'Signed by this service, checked',
    meaning:
      'Your browser has checked the signature: the card is exactly what this service built from the agent’s document.',
  },
  mismatch: {
    Icon: ShieldAlert,
    text: 'Signature does not match',
    meaning:
      'The card names a key of this service, but was changed or was signed with a different key. Do not rely on this card.',
  },
  foreign: {
    Icon: ShieldQuestion,
    text: 'Signed by others, not checked',
    meaning:
      'This page checks only signatures by this service. Check the card with the keys of whoever signed it.',
  },
  unavailable: {
    Icon: ShieldQuestion,
    text: 'Signed, could not be checked here',
    meaning:
      'This browser can’t check signatures, or the keys could not be loaded. Reload the page to try again.',
  },
}

/** Says whether the signature of a card is valid. */
function SignatureBadge({ state }: { state: SignatureState }) {
  const { Icon, text } = STATES[state]
  return (
    <span className={`${styles.signature} ${styles[state]}`} role="status">
      <Icon size={16} strokeWidth={1.5} aria-hidden="true" />
      {text}
    </span>
  )
}

const signatureMeaning = (state: SignatureState): string => STATES[state].meaning

const checking = createPart(() => import('./check-signature.ts'))

/** The keys' path at the URL that this service publishes. */
const KEYS_PATH = '/.well-known/jwks.json'

/** Checks a card's signature in the browser. The code for that is loaded only for a signed card. */
export function useSignature(card: AgentCard | null): SignatureState {
  const { slipway, settings } = useSite()
  const isSigned = parseList(card?.signatures).length > 0
  const keys = useQuery({ ...cardKeysQuery(slipway), enabled: useIsHydrated() && isSigned })
  const [checked, setChecked] = useState<{ card: AgentCard; state: SignatureState }>()

  useEffect(() => {
    if (!card || !isSigned || !keys.data) return undefined
    let isGone = false
    checking
      .load()
      .then(({ checkSignature }) => checkSignature(card, keys.data, settings.publicUrl + KEYS_PATH))
      .catch((): SignatureState => 'unavailable')
      .then(state => {
        if (!isGone) setChecked({ card, state })
      })
    return () => {
      isGone = true
    }
  }, [card, isSigned, keys.data, settings.publicUrl])

  if (!isSigned) return 'none'
  if (keys.isError && !keys.data) return 'unavailable'
  return checked && checked.card === card ? checked.state : 'pending'
}
