import { Link } from 'wouter'
import { LinkButton } from '../../components/button.tsx'
import styles from './interrupted.module.css'
import { useIsListed, useStarted } from './started-launches.ts'

/** The way to the form, and to what was begun there. */
export function CreateLaunchLink() {
  const [interrupted] = useStarted()
  const isListed = useIsListed(interrupted)
  const { name = '' } = interrupted?.request.launch ?? {}
  return (
    <div className={styles.link}>
      <LinkButton kind="quiet" href="/launches/new">
        Create a launch
      </LinkButton>
      {interrupted && !isListed && (
        <Link href="/launches/new">
          Continue <bdi>{name}</bdi>, which was interrupted
        </Link>
      )}
    </div>
  )
}
