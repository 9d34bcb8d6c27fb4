import { Plus, X } from 'lucide-react'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/fields.tsx'
import { type AgentDraft, type Faults, SERVICES_MAX } from './agent-draft.ts'
import styles from './mint-form.module.css'

type Services = AgentDraft['services']

/** Any number of services, each with its kind and its address. */
export function ServiceFields({
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
    <div className={styles.services}>
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
