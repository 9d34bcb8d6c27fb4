import { Link } from 'wouter'
import { LinkButton } from '../../components/button.tsx'
import styles from './interrupted.module.css'
import { type StartedLaunch, useIsListed, useStarted } from './started-launches.ts'

/** The link to the form, and to launches that were begun there. */
export function CreateLaunchLink() {
  const started = useStarted()
  return (
    <div className={styles.link}>
      <LinkButton kind="quiet" href="/launches/new">
        Create a launch
      </LinkButton>
      {started.map(launch => (
        <ContinueLink key={launch.genesisAccount} launch={launch} />
      ))}
    </div>
  )
}

function ContinueLink({ launch }: { launch: StartedLaunch }) {
  if (useIsListed(launch)) return null
  return (
    <Link href="/launches/new">
      Continue <bdi>{launch.request.launch.name}</bdi>, which was interrupted
    </Link>
  )
}
