import { useState } from 'react'
import { parsePicture } from '../../lib/safe-links.ts'
import { useSite } from '../../lib/site-context.ts'
import styles from './launch-head.module.css'

/** The wide picture, where the deployment says where such pictures are. */
export function Hero({ path }: { path: string | null }) {
  const { settings } = useSite()
  const [hasFailed, setFailed] = useState(false)
  if (path === null || settings.heroesUrl === undefined || hasFailed) return null
  const picture = parsePicture(settings.heroesUrl + path, settings.isEmbedded)
  if (picture === undefined) return null
  return (
    <div className={styles.hero}>
      <img
        src={picture}
        alt=""
        width={1136}
        height={240}
        loading="lazy"
        decoding="async"
        referrerPolicy="no-referrer"
        onError={() => setFailed(true)}
      />
    </div>
  )
}
