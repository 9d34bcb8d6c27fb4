import type { Network, SlipwayError } from '@slipway/client'
import { useQueryClient } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useActionSheet } from '../../actions/use-sheet.tsx'
import { Button } from '../../components/button.tsx'
import { Field, focusFirstFault, TextArea } from '../../components/fields.tsx'
import {
  canSignFor,
  chooseNetwork,
  FormCosts,
  FormLayout,
  FormSection,
  FormSubmit,
  NetworkField,
  useRent,
} from '../../components/form.tsx'
import { agentHref } from '../../lib/agents.ts'
import { explainDetail } from '../../lib/explain-detail.ts'
import { toSol } from '../../lib/format.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { useSite } from '../../lib/site-context.ts'
import { useDraft, watchDraft } from '../../lib/use-draft.ts'
import { openWalletDialog, useWallet } from '../../wallet/wallet-store.ts'
import { AgentCards } from '../agents/agent-cards.tsx'
import { useEver } from '../new-launch/sections.tsx'
import {
  type AgentDraft,
  EMPTY_DRAFT,
  type Faults,
  findFaults,
  MINT_FEE,
  mintCost,
  NAME_LENGTH_MAX,
  SERVICES_MAX,
  toRequest,
} from './agent-draft.ts'
import styles from './mint-form.module.css'

/** Describes a new agent and creates it. */
export default function MintForm() {
  const { slipway, settings } = useSite()
  const { account } = useWallet()
  const queryClient = useQueryClient()
  const { open, sheet } = useActionSheet()
  const { draft, change } = useDraft('agent', EMPTY_DRAFT)
  const [isSubmitted, setSubmitted] = useState(false)
  const [refusals, setRefusals] = useState<Faults>({})
  const networks = settings.networks as Network[]
  const network = chooseNetwork(draft.network, networks, account)
  const canSign = canSignFor(network, account)
  const rent = useRent(network)
  const cost = rent && mintCost(draft, settings.publicUrl, rent)
  const faults = { ...refusals, ...findFaults(draft, isSubmitted) }

  const wasUriWrong = useEver(faults.uri !== undefined)

  function edit(part: Partial<typeof draft>) {
    setRefusals({})
    change(part)
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    if (!account || !canSign) return openWalletDialog()
    setSubmitted(true)
    if (Object.keys(findFaults(draft, true)).length > 0) return focusFirstFault(form)
    const request = toRequest(draft)
    let minted = ''
    open({
      key: `mint:${network}:${request.name}`,
      title: `Create ${request.name}`,
      network,
      async build(signal) {
        const { tx, blockhash, assetAddress } = await slipway.agents.mint(
          { ...request, wallet: account.address, network },
          { signal },
        )
        minted = assetAddress
        const { name, uri } = request
        return {
          transactions: [tx],
          blockhash,
          intent: { kind: 'mint', name, agent: assetAddress, uri },
          ...(cost && { estimate: { totalLamports: cost.total, rentLamports: cost.besidesFee } }),
        }
      },
      done: `${request.name} is on the chain, and yours.`,
      next: () => ({ text: `Open ${request.name}`, href: agentHref(minted, network, settings.networks) }),
      draft: 'agent',
      isDone: watchDraft('agent'),
      onConfirmed() {
        setSubmitted(false)
        void queryClient.invalidateQueries({ queryKey: queryKeys.allAgents() })
      },
      onInvalid(error) {
        setRefusals(assignDetails(error))
        focusFirstFault(form)
      },
    })
  }

  return (
    <>
      <FormLayout
        onSubmit={submit}
        preview={<AgentPreview draft={draft} network={network} />}
        totalLamports={cost?.total}
      >
        <FormSection title="What it is">
          <Field
            label="Name"
            hint="As people will see it. It can’t be changed here later."
            value={draft.name}
            maxLength={2 * NAME_LENGTH_MAX}
            onChange={event => edit({ name: event.target.value })}
            error={faults.name}
          />
          <TextArea
            label="What it does"
            hint="One or two sentences, for people and for other agents."
            value={draft.description}
            maxLength={2_000}
            onChange={event => edit({ description: event.target.value })}
            error={faults.description}
          />
          <Field
            label="Picture"
            isOptional
            hint="Address of a square picture on the web."
            type="url"
            inputMode="url"
            placeholder="https://"
            value={draft.picture}
            onChange={event => edit({ picture: event.target.value })}
            error={faults.picture}
          />
        </FormSection>
        <FormSection
          title="Where to reach it"
          text="Other agents and people find these addresses in its card. Leave them empty if it can’t be called yet."
        >
          <ServiceFields
            services={draft.services}
            faults={faults}
            onChange={services => edit({ services })}
          />
        </FormSection>
        <details open={wasUriWrong || undefined}>
          <summary>What wallets show (optional)</summary>
          <Field
            label="Address of the document"
            isOptional
            hint="JSON with the asset’s name and picture, which wallets show. Without an address, a small one becomes part of the asset."
            value={draft.uri}
            onChange={event => edit({ uri: event.target.value })}
            error={faults.uri}
          />
        </details>
        {(networks.length > 1 || !canSign) && (
          <FormSection title="Where it is registered">
            <NetworkField {...{ network, networks }} onChoose={one => edit({ network: one })} />
          </FormSection>
        )}
        <FormCosts
          facts={{
            Transactions: 'One',
            'Network fee': toSol(MINT_FEE),
            'Rent of the asset': cost && `About ${toSol(cost.assetRent)}; longer names cost more`,
            'Rent of its identity': cost && `About ${toSol(cost.identityRent)}`,
            'Fee of Metaplex Core': cost && `About ${toSol(cost.programFee)}`,
          }}
          totalLamports={cost?.total}
          shortage="the agent could not be created."
          network={network}
        />
        <FormSubmit
          text="The exact amount is shown before you sign."
          button={
            <Button kind="primary" type="submit">
              {!account ? 'Connect a wallet' : canSign ? 'Review the transaction' : 'Choose another account'}
            </Button>
          }
        />
      </FormLayout>
      {sheet}
    </>
  )
}

/** The API's faults, at the fields that they are about. */
function assignDetails({ details = [] }: SlipwayError): Faults {
  const faults: Faults = {}
  for (const { path, message } of details) {
    const service = /services\.(\d+)/.exec(path)
    if (service) faults[`services.${Number(service[1])}`] = explainDetail(message)
    else {
      const field = FIELDS.find(([pattern]) => pattern.test(path))?.[1] ?? 'name'
      faults[field] = explainDetail(message)
    }
  }
  return faults
}

const FIELDS: [RegExp, 'name' | 'description' | 'picture' | 'uri'][] = [
  [/uri$/, 'uri'],
  [/image/, 'picture'],
  [/description|^agentMetadata$/, 'description'],
]

type Services = AgentDraft['services']

/** Any number of services, each with its kind and its address. */
function ServiceFields({
  services,
  faults,
  onChange,
}: {
  services: Services
  faults: Faults
  onChange(services: Services): void
}) {
  const change = (at: number, part: Partial<Services[number]>) =>
    onChange(services.map((service, index) => (index === at ? { ...service, ...part } : service)))
  return (
    <div className="stack gap-4 start">
      {services.map(({ kind, endpoint }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they have no other identity
        <fieldset key={at} className={styles.service}>
          <legend className="unseen">Service {at + 1}</legend>
          <Field
            label="Kind"
            list="service-kinds"
            value={kind}
            maxLength={32}
            onChange={event => change(at, { kind: event.target.value })}
          />
          <Field
            label="Address"
            type="url"
            inputMode="url"
            placeholder="https://"
            value={endpoint}
            onChange={event => change(at, { endpoint: event.target.value })}
            error={faults[`services.${at}`]}
          />
          <button
            type="button"
            className={styles.remove}
            aria-label={`Remove service ${at + 1}`}
            onClick={() => onChange(services.filter((_, index) => index !== at))}
          >
            <X size={18} strokeWidth={1.5} aria-hidden="true" />
          </button>
        </fieldset>
      ))}
      <datalist id="service-kinds">
        <option value="A2A" />
        <option value="MCP" />
        <option value="web" />
      </datalist>
      {services.length < SERVICES_MAX && (
        <Button
          onClick={() => onChange([...services, { kind: services.length === 0 ? 'A2A' : '', endpoint: '' }])}
        >
          <Plus size={16} strokeWidth={1.5} aria-hidden="true" />
          Add a service
        </Button>
      )}
    </div>
  )
}

/** The agent as the directory will show it. */
function AgentPreview({ draft, network }: { draft: AgentDraft; network: Network }) {
  const { name, description, picture, services } = draft
  return (
    <>
      <h2>In the directory</h2>
      <div inert>
        <AgentCards
          network={network}
          isStale={false}
          agents={[
            {
              address: PREVIEW_ADDRESS,
              name: name.trim() || 'Name',
              description: description.trim() || 'What it does',
              image: picture.trim() || null,
              services: services.filter(({ endpoint }) => endpoint.trim() !== '').map(({ kind }) => kind),
              ...{ skills: [], skillCount: 0, walletAddress: '', createdAt: '', delegates: 0 },
              isActive: true,
              isVerified: false,
              isSpotlighted: false,
              hasToken: false,
              isDescribed: true,
              isShortened: false,
              hasDocument: true,
            },
          ]}
        />
      </div>
    </>
  )
}

/** Only the picture's colours come from it. */
const PREVIEW_ADDRESS = '11111111111111111111111111111111'
