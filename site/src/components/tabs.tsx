import styles from './segmented.module.css'

/** One of a few choices that change only this part of the page. */
export function Tabs<Choice extends string>({
  label,
  choices,
  current,
  onChoose,
}: {
  label: string
  choices: readonly { value: Choice; text: string }[]
  current: NoInfer<Choice>
  onChoose: (choice: Choice) => void
}) {
  return (
    <fieldset className={styles.segmented}>
      <legend className="unseen">{label}</legend>
      {choices.map(({ value, text }) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === current}
          className={styles.choice}
          onClick={() => onChoose(value)}
        >
          {text}
        </button>
      ))}
    </fieldset>
  )
}
