import styles from './skeleton.module.css'

/** Takes the place of something that is still loading, in its size. Nothing moves. */
export function Skeleton({ shape = 'text' }: { shape?: 'text' | 'short' | 'title' | 'chart' | 'line' }) {
  return <span className={`${styles.skeleton} ${styles[shape]}`} aria-hidden="true" />
}
