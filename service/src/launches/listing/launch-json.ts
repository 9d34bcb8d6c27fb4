import type { LaunchData } from '@slipway/schema/launch'

/**
 * The same text as `JSON.stringify`, which takes twice as long: a start writes every launch. Addresses, times and names of
 * the contract need no escapes.
 */
export function writeLaunchJson({ launch, baseToken, website, socials }: LaunchData): string {
  return (
    `{"launch":{"launchPage":${quote(launch.launchPage)}` +
    `,"mechanic":"${launch.mechanic}"` +
    `,"genesisAddress":"${launch.genesisAddress}"` +
    `,"spotlight":${launch.spotlight}` +
    `,"startTime":"${launch.startTime}"` +
    `,"endTime":"${launch.endTime}"` +
    `,"status":"${launch.status}"` +
    `,"heroUrl":${quote(launch.heroUrl)}` +
    `,"graduatedAt":${quote(launch.graduatedAt)}` +
    `,"lastActivityAt":"${launch.lastActivityAt}"` +
    `,"type":"${launch.type}"` +
    `},"baseToken":{"address":"${baseToken.address}"` +
    `,"name":${quote(baseToken.name)}` +
    `,"symbol":${quote(baseToken.symbol)}` +
    `,"image":${quote(baseToken.image)}` +
    `,"description":${quote(baseToken.description)}` +
    `},"website":${quote(website)}` +
    `,"socials":${JSON.stringify(socials)}}`
  )
}

/** Printable ASCII without quotation marks and backslashes needs no escapes. */
const UNESCAPED = /^[ !#-[\]-~]*$/

const quote = (text: string | null): string =>
  text !== null && UNESCAPED.test(text) ? `"${text}"` : JSON.stringify(text)
