import type { Agent, AgentCard, Network, OwnerChange } from '@slipway/client'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Tabs } from '../../components/choices.tsx'
import { focusFirstFault, TextArea } from '../../components/fields.tsx'
import { agentTitle } from '../../lib/agents.ts'
import { cardKeysQuery } from '../../lib/queries.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { useSite } from '../../lib/site-context.ts'
import { useDraft } from '../../lib/use-draft.ts'
import { OwnerDialog } from '../../owner-changes/owner-line.tsx'
import { ReviewActions, SignChange } from '../../owner-changes/sign-change.tsx'
import type { WalletAccount } from '../../wallet/wallet-store.ts'
import { AgentCardPanel } from './agent-card.tsx'
import styles from './card-form.module.css'
import {
  describeDetails,
  isOwnCard,
  isSameCard,
  listCardChanges,
  parseCardText,
  startCard,
} from './card-text.ts'

/** Replaces or removes the card of an agent, for its owner. */
export default function CardDialog(props: {
  draftName: string
  agent: Agent
  network: Network
  onClose(): void
}) {
  const { draftName, agent, network, onClose } = props
  return (
    <OwnerDialog
      title="Change the card"
      {...{ network, draftName }}
      subject={agentTitle(agent)}
      signer={agent.owner}
      name="the owner"
      right="change the card"
      onClose={onClose}
    >
      {(account, onCancel) => <CardForm {...props} {...{ account, onCancel }} />}
    </OwnerDialog>
  )
}

const AFTER_REMOVAL = 'The service then builds a new one from the agent’s document.'

/** The card as JSON, how it will look, and then the signature. */
function CardForm({
  draftName,
  agent,
  network,
  account,
  onClose,
  onCancel,
}: {
  draftName: string
  agent: Agent
  network: Network
  account: WalletAccount
  onClose(): void
  onCancel(): void
}) {
  const { slipway, settings } = useSite()
  const { address } = agent
  const [first] = useState(() => startCard(agent, settings.publicUrl))
  const [empty] = useState(() => ({ text: JSON.stringify(first, null, 2) }))
  const { draft, change: type, clear } = useDraft(draftName, empty, {}, 'sessionStorage')
  const { text } = draft
  const [refused, setRefused] = useState<string>()
  const [view, setView] = useState<'text' | 'preview'>('text')
  const [change, setChange] = useState<OwnerChange>()
  const parsed = parseCardText(text)
  const { data: keys } = useQuery(cardKeysQuery(slipway))
  const canRemove = isOwnCard(agent, { publicUrl: settings.publicUrl, signsCards: Boolean(keys?.length) })
  const common = { deployment: settings.publicUrl, network, address }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if ('card' in parsed && agent.a2aCard && isSameCard(first, parsed.card)) {
      setRefused('Nothing has changed.')
      return setView('text')
    }
    if ('card' in parsed) return setChange({ ...common, purpose: 'replace agent card', card: parsed.card })
    setView('text')
    focusFirstFault(event.currentTarget)
  }

  if (change)
    return (
      <SignChange
        account={account}
        change={change}
        {...('card' in change
          ? { parts: listCardChanges(agent.a2aCard, change.card) }
          : {
              parts: [{ name: 'Card', before: agentTitle(agent), after: undefined, isChanged: true }],
              consequence: AFTER_REMOVAL,
            })}
        send={async signed => {
          if ('card' in change)
            await slipway.agents.replaceCard(
              address,
              { card: change.card as AgentCard, ...signed },
              { network },
            )
          else await slipway.agents.removeCard(address, signed, { network })
          clear()
          return undefined
        }}
        saved={'card' in change ? 'The card is saved.' : 'The card is removed.'}
        queryKey={queryKeys.agent(network, address)}
        onInvalid={details => {
          setRefused(describeDetails(details))
          setView('text')
          setChange(undefined)
        }}
        onBack={() => setChange(undefined)}
        onClose={onClose}
      />
    )
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <Tabs
        label="View"
        choices={[
          { value: 'text', text: 'JSON' },
          { value: 'preview', text: 'Preview' },
        ]}
        current={view}
        onChoose={setView}
      />
      {view === 'text' ? (
        <div className={styles.editor}>
          <TextArea
            label="Card"
            hint="An A2A card. The service serves it as you write it, and does not sign it."
            rows={14}
            spellCheck="false"
            autoCapitalize="off"
            value={text}
            onChange={event => {
              type({ text: event.target.value })
              setRefused(undefined)
            }}
            error={'fault' in parsed ? parsed.fault : refused}
          />
        </div>
      ) : 'card' in parsed ? (
        <div className={styles.preview}>
          <AgentCardPanel agent={agent} card={parsed.card as AgentCard} signature="none" />
        </div>
      ) : (
        <p role="alert" className="danger">
          {parsed.fault}
        </p>
      )}
      {canRemove && (
        <section className={styles.removal}>
          <p className="small soft">
            Removing the card deletes the card that you signed. {AFTER_REMOVAL} You confirm the removal in the
            next step.
          </p>
          <button
            type="button"
            className={`text-button ${styles.remove}`}
            onClick={() => setChange({ ...common, purpose: 'remove agent card' })}
          >
            Remove the card
          </button>
        </section>
      )}
      <ReviewActions onCancel={onCancel} />
    </form>
  )
}
