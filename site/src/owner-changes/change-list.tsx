import type { ReactNode } from 'react'
import { Facts } from '../components/layout.tsx'
import { cut } from '../lib/parse-json.ts'
import styles from './change-list.module.css'
import type { ChangedPart } from './changed-part.ts'

const LENGTH_MAX = 300

/** What changes, from what to what. The text that is signed has only a digest of it. */
export const ChangeList = ({ parts }: { parts: readonly ChangedPart[] }) => (
  <div className={styles.list}>
    <Facts
      facts={parts.map((part): [string, ReactNode] => [part.name, <Change key={part.name} {...part} />])}
    />
  </div>
)

function Change({ before, after, isChanged }: ChangedPart) {
  if (before === after)
    return (
      <>
        <Value text={after} />{' '}
        <span className={styles.aside}>{isChanged ? 'with changes' : 'unchanged'}</span>
      </>
    )
  return (
    <>
      <del className={styles.before}>
        <Value text={before} />
      </del>{' '}
      <span className={styles.aside}>→</span>{' '}
      <ins className={styles.after}>
        <Value text={after} />
      </ins>
    </>
  )
}

const Value = ({ text }: { text: string | undefined }) =>
  text === undefined ? <span className={styles.aside}>none</span> : <bdi>{cut(text, LENGTH_MAX)}</bdi>
