import styles from './skeleton.module.css'

/** Takes the place of something that is still loading, in its size. Nothing moves. */
export function Skeleton({
  shape = 'text',
  unscripted,
}: {
  shape?: 'text' | 'short' | 'title' | 'chart' | 'line'
  /** Said instead without script, because then nothing takes its place. */
  unscripted?: string
}) {
  return (
    <span
      className={`${styles.skeleton} ${styles[shape]}`}
      data-unscripted={unscripted}
      aria-hidden={unscripted === undefined}
    />
  )
}
