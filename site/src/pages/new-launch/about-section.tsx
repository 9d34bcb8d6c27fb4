import { Field, TextArea } from '../../components/field.tsx'
import { FormSection } from '../../components/form-layout.tsx'
import { type VerifiedAccount, VerifyAccount } from '../../social/verify-account.tsx'
import { DESCRIPTION_LENGTH_MAX } from './check-draft.ts'
import styles from './form.module.css'
import { bind, type SectionProps, useEver } from './section.ts'

const LINKS = ['website', 'social', 'telegram', 'discord'] as const

/** What is launched. */
export function AboutSection({
  verified,
  onVerified,
  ...section
}: SectionProps & {
  verified: VerifiedAccount | undefined
  onVerified(account: VerifiedAccount | undefined): void
}) {
  const left = DESCRIPTION_LENGTH_MAX - [...section.draft.description.trim()].length
  const hasLinks = useEver(
    LINKS.some(name => section.draft[name] !== '' || section.faults[name] !== undefined),
  )
  const wasVerified = useEver(verified !== undefined)
  return (
    <FormSection title="The token">
      <div className={styles.fields}>
        <Field
          {...bind(section, 'name')}
          label="Name"
          hint="The name that people see. It can’t be changed later."
          placeholder="Tidewater"
          required
        />
        <Field
          {...bind(section, 'symbol')}
          label="Symbol"
          hint="Short, at most ten English letters."
          placeholder="TIDE"
          required
        />
        <TextArea
          {...bind(section, 'description')}
          label="Description"
          isOptional
          rows={3}
          hint={`What the token is for, in a sentence or two. ${left >= 0 ? `${left} characters left.` : ''}`}
        />
        <Field
          {...bind(section, 'image')}
          label="Picture"
          isOptional
          type="url"
          inputMode="url"
          hint="The https address of a square picture that you host. Without one, the token carries this site’s mark."
          placeholder="https://"
        />
        <details className={styles.more} open={hasLinks || undefined}>
          <summary className="reach">Links</summary>
          <div className={styles.fields}>
            <p className={styles.note}>
              Shown on the launch’s page as your claim. You can correct them later with a signature.
            </p>
            <Field
              {...bind(section, 'website')}
              label="Website"
              isOptional
              type="url"
              inputMode="url"
              placeholder="https://tidewater.example"
            />
            <div className={styles.pair}>
              <Field {...bind(section, 'social')} label="X" isOptional placeholder="@tidewater" />
              <Field {...bind(section, 'telegram')} label="Telegram" isOptional placeholder="@tidewater" />
            </div>
            <Field
              {...bind(section, 'discord')}
              label="Discord"
              hint="An invite code or its address."
              isOptional
            />
            <details className={styles.more} open={wasVerified || undefined}>
              <summary className="reach">Verify your X account</summary>
              <div className={styles.fields}>
                <p className={styles.note}>
                  Optional. The launch’s page then says that the X link is yours. It counts if you register
                  within ten minutes.
                </p>
                <VerifyAccount verified={verified} onVerified={onVerified} />
              </div>
            </details>
          </div>
        </details>
      </div>
    </FormSection>
  )
}
