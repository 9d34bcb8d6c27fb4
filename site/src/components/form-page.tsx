import { type ComponentType, Suspense } from 'react'
import { useIsHydrated } from '../lib/now.ts'
import { useTitle } from '../lib/title.ts'
import styles from './form-page.module.css'
import { PageHead } from './page-head.tsx'

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
