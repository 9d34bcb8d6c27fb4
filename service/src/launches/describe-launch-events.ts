import { cleanName } from '@slipway/schema/clean-text'
import type { EventDetails } from '@slipway/schema/event'
import { cutText, LISTED_BYTES, shortenLinks, shortenPicture } from '../lib/shorten.ts'
import type { Database } from '../store/database.ts'
import { detailsKey, type LaunchDetails, readLaunchDetails } from '../store/event-details.ts'
import type { StoredEvent } from '../store/events.ts'
import type { StoredTrade } from '../store/list-trades.ts'
import { showFigures } from './activity/build-activity.ts'
import { showTrade } from './market/show-trade.ts'

/**
 * What has changed, for each of the events, so that followers need no request per event. Figures and links are
 * current, even if the event is sent late. A trade is the one that was stored with the event, because a dropped fork
 * may have removed it since.
 */
export async function describeLaunchEvents(
  database: Database,
  events: readonly StoredEvent[],
): Promise<(EventDetails | undefined)[]> {
  const launches = await readLaunchDetails(
    database,
    events.filter(({ type }) => type.startsWith('launch.')),
  )
  return events.map(event => {
    const details = launches.get(detailsKey(event.network, event.address))
    return details && describe(event, details)
  })
}

function describe({ type, at, data }: StoredEvent, details: LaunchDetails): EventDetails | undefined {
  const { quoteDecimals, baseDecimals, figures } = details
  const decimals = { quoteDecimals, baseDecimals }
  switch (type) {
    case 'launch.trade': {
      const stored = { ...(data as Omit<StoredTrade, 'time'>), time: at.getTime() / 1_000 }
      return { trade: showTrade(stored, decimals), ...decimals }
    }
    case 'launch.moved':
      return figures && { figures: showFigures(figures, decimals), ...decimals }
    case 'launch.registered':
    case 'launch.started':
    case 'launch.graduated': {
      const name = cutText(cleanName(details.name) ?? '', LISTED_BYTES.name)
      const symbol = cutText(cleanName(details.symbol) ?? '', LISTED_BYTES.symbol)
      const { website, socials } = shortenLinks(details)
      return { launch: { name, symbol, image: shortenPicture(details.image), website, socials } }
    }
    default:
      return undefined
  }
}
