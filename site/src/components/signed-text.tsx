import styles from './signed-text.module.css'

/** A text that a wallet signs, to the letter. */
export const SignedText = ({ text }: { text: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
  <pre className={styles.text} tabIndex={0}>
    {text}
  </pre>
)
