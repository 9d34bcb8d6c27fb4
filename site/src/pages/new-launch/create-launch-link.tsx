import { Link } from 'wouter'
import styles from './interrupted.module.css'
import { useStarted } from './started-launches.ts'

/** The way to the form, and to what was begun there. */
export function CreateLaunchLink() {
  const [interrupted] = useStarted()
  const { name = '' } = interrupted?.request.launch ?? {}
  return (
    <div className={styles.link}>
      <Link href="/launches/new" className={styles.create}>
        Create a launch
      </Link>
      {interrupted && (
        <Link href="/launches/new">
          Continue <bdi>{name}</bdi>, which was interrupted
        </Link>
      )}
    </div>
  )
}
