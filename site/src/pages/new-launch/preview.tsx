import type { LaunchActivity, LaunchDetail, Network } from '@slipway/client'
import { formatNumber, formatShare } from '../../lib/format.ts'
import { figuresOf, statusAt } from '../../lib/launches.ts'
import rowStyles from '../directory/launch-row.module.css'
import { LaunchRowCells } from '../directory/launch-row.tsx'
import { LaunchHead } from '../launch/launch-head.tsx'
import { TermList } from '../launch/launch-terms.tsx'
import type { Term } from '../launch/read-terms.ts'
import {
  computeCurve,
  computeFirstBuy,
  computePool,
  type Draft,
  nameEarner,
  parseLocalTime,
  QUOTE_DECIMALS,
  TOKEN_DECIMALS,
  timesOf,
} from './draft.ts'
import styles from './new-launch.module.css'

/** The launch as it will look. Nothing in it can be followed or focused. */
export function LaunchPreview({
  draft,
  network,
  pictureUrl,
  nowMs,
}: {
  draft: Draft
  network: Network
  pictureUrl: string
  nowMs: number
}) {
  const data = describeLaunch(draft, pictureUrl, nowMs)
  const activity = describeActivity(draft)
  const firstBuy = draft.mechanic === 'bondingCurve' ? computeFirstBuy(draft) : undefined
  const terms = describeDraftTerms(draft)
  const status = statusAt(data, nowMs)
  return (
    <>
      <h2>In the directory</h2>
      <div className={styles.row} inert>
        <div className={rowStyles.row}>
          <LaunchRowCells {...{ data, status, activity, nowMs }} isPending={false} isCard />
        </div>
      </div>
      <h2>On its page</h2>
      <div className={styles.head} inert>
        <LaunchHead {...{ data, status, network }} figures={figuresOf(activity)} isPublished={false} />
        {terms && (
          <div className={styles.terms}>
            <h3>Where the tokens and the money go</h3>
            <TermList title="Tokens" terms={terms.tokens} network={network} />
            <TermList title="Money raised" terms={terms.money} network={network} />
          </div>
        )}
      </div>
      {firstBuy && (
        <p className="small soft">
          This preview includes your first buy of {formatNumber(firstBuy.sol)} SOL, which gets you about{' '}
          <b>
            {formatNumber(firstBuy.tokens)} {data.baseToken.symbol}
          </b>
          .
        </p>
      )}
    </>
  )
}

const ENDLESS = '9999-12-31T23:59:59.000Z'

function describeLaunch(draft: Draft, pictureUrl: string, nowMs: number): LaunchDetail {
  const isCurve = draft.mechanic === 'bondingCurve'
  const { startMs, endMs } = timesOf(draft, nowMs)
  // A launch that opens at once is open in the preview.
  const openMs = parseLocalTime(draft.startsAt) === undefined ? nowMs - 1_000 : startMs
  return {
    launch: {
      launchPage: '',
      mechanic: isCurve ? 'bondingCurveV2' : 'launchpoolV2',
      genesisAddress: 'preview',
      spotlight: false,
      startTime: new Date(openMs).toISOString(),
      endTime: isCurve ? ENDLESS : new Date(endMs).toISOString(),
      status: 'live',
      heroUrl: null,
      graduatedAt: null,
      lastActivityAt: new Date(nowMs).toISOString(),
      type: 'launchpool',
    },
    baseToken: {
      address: '',
      name: draft.name.trim() || 'Name',
      symbol: draft.symbol.trim() || 'SYMBOL',
      image: draft.image.trim() || pictureUrl,
      description: draft.description.trim(),
    },
    website: draft.website,
    socials: {},
    verifiedSocials: [],
  }
}

/** The figures that the service will report before anyone else has bought. */
function describeActivity(draft: Draft): LaunchActivity {
  const curve = draft.mechanic === 'bondingCurve' ? computeCurve(draft) : undefined
  const pool = draft.mechanic === 'bondingCurve' ? undefined : computePool(draft)
  const supply = curve?.forSale ?? pool?.forDepositors ?? 0
  const firstBuy = curve && computeFirstBuy(draft)
  const sold = firstBuy?.tokens ?? 0
  return {
    genesisAddress: 'preview',
    quoteMint: 'So11111111111111111111111111111111111111112',
    quoteDecimals: QUOTE_DECIMALS,
    baseDecimals: TOKEN_DECIMALS,
    endedAt: null,
    goal: pool ? `${Math.round(pool.goal * 10 ** QUOTE_DECIMALS)}` : null,
    creatorWallets: [],
    points: [],
    current: {
      raised: `${Math.round((firstBuy?.sol ?? 0) * 10 ** QUOTE_DECIMALS)}`,
      sold: `${Math.round(sold * 10 ** TOKEN_DECIMALS)}`,
      supply: `${Math.round(supply * 10 ** TOKEN_DECIMALS)}`,
      price: curve ? (firstBuy?.nextPrice ?? curve.firstPrice).toFixed(18) : null,
      progress: supply === 0 ? 0 : sold / supply,
      participants: 0,
      creatorFees: '0',
    },
  }
}

/** Where the tokens and the money will go, in the words of the launch's page. Undefined while the numbers are not valid. */
export function describeDraftTerms(draft: Draft): { tokens: Term[]; money: Term[] } | undefined {
  if (draft.mechanic === 'bondingCurve') {
    const curve = computeCurve(draft)
    if (!curve) return undefined
    return {
      tokens: [
        { share: curve.forSale / curve.supply, text: 'sold on the bonding curve' },
        { share: curve.liquidity / curve.supply, text: 'into the liquidity pool, locked for good' },
      ],
      money: [{ share: 1, text: 'into the liquidity pool' }],
    }
  }
  const pool = computePool(draft)
  if (!pool || pool.forCreator < 0) return undefined
  const { supply, forDepositors, liquidity, forCreator, liquidityBps } = pool
  const lock = draft.lock === 'forever' ? 'locked for good' : 'locked, and released over 1 year'
  const wallet = earnerOf(draft)
  return {
    tokens: withoutNothing([
      { share: forDepositors / supply, text: 'shared by everyone who deposits' },
      { share: liquidity / supply, text: `into the liquidity pool, ${lock}` },
      { share: forCreator / supply, text: `to ${wallet}, after graduation` },
    ]),
    money: withoutNothing([
      { share: liquidityBps / 10_000, text: 'into the liquidity pool' },
      { share: 1 - liquidityBps / 10_000, text: `to ${wallet}` },
    ]),
  }
}

/** What a launch pool gives its creator; undefined if that is nothing. */
export function describeCreatorShare(draft: Draft): string | undefined {
  const pool = computePool(draft)
  if (!pool) return undefined
  const shares = [
    [pool.forCreator / pool.supply, 'of the tokens'],
    [1 - pool.liquidityBps / 10_000, 'of the money raised'],
  ] as const
  const parts = shares.filter(([share]) => share > 0).map(([share, of]) => `${formatShare(share)} ${of}`)
  return parts.length > 0 ? `${earnerOf(draft)} gets ${parts.join(' and ')}.` : undefined
}

const earnerOf = (draft: Draft) => nameEarner(draft).toLowerCase()

const withoutNothing = (terms: Term[]) => terms.filter(({ share }) => share > 0)
