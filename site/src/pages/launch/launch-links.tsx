import type { LaunchDetail, Network } from '@slipway/client'
import { BadgeCheck } from 'lucide-react'
import { Facts, Panel } from '../../components/layout.tsx'
import { ExternalLink } from '../../components/text.tsx'
import { nameLink, SITE_KEYS } from '../../lib/links.ts'
import { lazyPart } from '../../lib/load-part.ts'
import { OwnerLine } from '../../owner-changes/owner-line.tsx'
import styles from './launch.module.css'

/** What the launcher links to, and which of it is proven. */
export function LaunchLinks({ data, network }: { data: LaunchDetail; network: Network }) {
  const { website, socials, verifiedSocials } = data
  const entries = SITE_KEYS.flatMap(key => {
    const url = socials[key]
    return url ? [{ key, url, name: nameLink(key, url), isVerified: verifiedSocials.includes(key) }] : []
  })
  const correct = <CorrectLinks data={data} network={network} />
  if (!website && entries.length === 0) return correct
  return (
    <Panel title="Links">
      <Facts
        facts={{
          Website: website ? <ExternalLink url={website} /> : undefined,
          ...Object.fromEntries(
            entries.map(({ key, url, name, isVerified }, at) => [
              entries.findIndex(other => other.name === name) === at ? name : `${name} (${at + 1})`,
              <span key={key} className={styles.link}>
                <ExternalLink url={url} />
                {isVerified && (
                  <span className={styles.verified}>
                    <BadgeCheck size={16} strokeWidth={1.5} aria-hidden="true" />
                    Verified
                  </span>
                )}
              </span>,
            ]),
          ),
        }}
      />
      <p className={styles.explanation}>
        {entries.some(({ isVerified }) => isVerified)
          ? 'Verified: the launcher has proven that they own that account. The other links are their claim.'
          : 'The launcher’s claim. No account has been verified.'}
      </p>
      <div className={styles.correct}>{correct}</div>
    </Panel>
  )
}

const LinksDialog = lazyPart(() => import('./links-dialog.tsx'))

/** Lets the launch's authority correct its links. */
function CorrectLinks(props: { data: LaunchDetail; network: Network }) {
  const draftName = `links:${props.network}:${props.data.launch.genesisAddress}`
  return (
    <OwnerLine
      question="Is this your launch?"
      action="Correct its links"
      draftName={draftName}
      unfinished="You have not signed your changes to its links."
    >
      {onClose => <LinksDialog {...props} {...{ draftName, onClose }} />}
    </OwnerLine>
  )
}
