import { useEffect, useRef, useState } from 'react'
import { parsePicture } from '../lib/links.ts'
import { useSite } from '../lib/site-context.ts'
import styles from './token-picture.module.css'

/**
 * A picture that a stranger chose. Until it has loaded, and if it never does, a drawn one that depends only on the
 * address takes its place.
 */
export function TokenPicture({
  image,
  name,
  address,
  size,
}: {
  image: string | null | undefined
  name: string
  address: string
  size: 24 | 44 | 56 | 88
}) {
  const { settings } = useSite()
  const picture = parsePicture(image, settings.isEmbedded)
  const [failed, setFailed] = useState<string>()
  const element = useRef<HTMLImageElement>(null)
  // The picture may have failed before the page became interactive.
  useEffect(() => {
    const { current } = element
    if (current?.complete && current.naturalWidth === 0) setFailed(picture)
  }, [picture])
  const isShown = picture !== undefined && picture !== failed
  return (
    <span className={`${styles.picture} ${styles[`size${size}`]}`}>
      <Drawn name={name} address={address} />
      {isShown && (
        <img
          ref={element}
          src={picture}
          alt=""
          width={size}
          height={size}
          loading="lazy"
          decoding="async"
          referrerPolicy="no-referrer"
          onError={() => setFailed(picture)}
        />
      )}
    </span>
  )
}

const HUES = 6

/** The first letter over a wave, in one of six quiet colours. */
function Drawn({ name, address }: { name: string; address: string }) {
  let hash = 0
  for (const character of address) hash = (Math.imul(hash, 31) + character.charCodeAt(0)) >>> 0
  const letter = [...name.trim()][0]?.toUpperCase() ?? '?'
  const level = 24 + ((hash >>> 8) % 8)
  return (
    <svg viewBox="0 0 44 44" aria-hidden="true" className={styles[`hue${hash % HUES}`]}>
      <rect width="44" height="44" />
      <path d={`M0 ${level}q5.500-3 11 0t11 0 11 0 11 0V44H0z`} />
      <text x="22" y="29" textAnchor="middle">
        {letter}
      </text>
    </svg>
  )
}
