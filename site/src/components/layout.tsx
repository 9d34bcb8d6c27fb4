import { type ComponentType, type ReactNode, Suspense } from 'react'
import { useTitle } from '../lib/hooks.ts'
import { useIsHydrated } from '../lib/now.ts'
import styles from './layout.module.css'

/** The title of a section, a line about it, and its main action. */
export function PageHead({
  title,
  summary,
  children,
}: {
  title: string
  summary?: ReactNode
  children?: ReactNode
}) {
  return (
    <header className={styles.head}>
      <div className={styles.text}>
        <h1>{title}</h1>
        {summary !== undefined && <p role="status">{summary}</p>}
      </div>
      {children}
    </header>
  )
}

/** The title and filters of a list, on one line if there is room. */
export const Toolbar = ({ children }: { children: ReactNode }) => (
  <div className={styles.toolbar}>{children}</div>
)

/** A titled part of a page. */
export function Panel({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  const id = `panel-${title.toLowerCase().replaceAll(/\W+/g, '-')}`
  return (
    <section className={styles.panel} aria-labelledby={id}>
      <div className={styles.panelHead}>
        <h2 id={id}>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  )
}

/** Names and values. Entries without a value are left out. */
export function Facts({ facts }: { facts: Record<string, ReactNode> | [name: string, value: ReactNode][] }) {
  return (
    <dl className={styles.facts}>
      {(Array.isArray(facts) ? facts : Object.entries(facts))
        .filter(([, value]) => value !== undefined && value !== null && value !== false)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}

interface FormPageProps {
  title: string
  summary: string
  /** Needs script, and most readers never open it, so it is loaded on this page alone. */
  Form: ComponentType
}

/** A page with a form that ends with a signature. */
export function FormPage({ title, summary, Form }: FormPageProps) {
  const isHydrated = useIsHydrated()
  useTitle(title)
  return (
    <>
      <PageHead title={title} summary={summary} />
      <div className={styles.form}>
        {isHydrated ? (
          <Suspense fallback={<p role="status">Loading the form…</p>}>
            <Form />
          </Suspense>
        ) : (
          <p>The form needs JavaScript, because your wallet signs in this page.</p>
        )}
      </div>
    </>
  )
}
