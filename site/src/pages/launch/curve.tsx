import type { LaunchDetail, Network } from '@slipway/client'
import { reservesAfter } from '@slipway/launch-model/trade/curve'
import { type PointerEvent, useState } from 'react'
import { Price } from '../../components/figures.tsx'
import { Panel } from '../../components/layout.tsx'
import { formatNumber, formatPrice, formatPriceExactly, formatShare, quoteSymbol } from '../../lib/format.ts'
import { type Figures, isRaise } from '../../lib/launches.ts'
import { useSite } from '../../lib/site-context.ts'
import styles from './curve.module.css'
import { useTerms } from './launch-terms.tsx'

export const CURVE_TITLE = 'Price along the curve'

/** The curve of a launch that has not opened. */
export function CurvePanel({
  data,
  network,
  figures,
}: {
  data: LaunchDetail
  network: Network
  figures: Figures | undefined
}) {
  const { shape, isLoading } = useCurve(data, network, figures)
  if (!shape && !isLoading) return null
  return (
    <Panel title={CURVE_TITLE}>
      {shape ? <CurvePicture shape={shape} symbol={quoteSymbol(figures?.quoteMint ?? '')} /> : <CurveSpace />}
    </Panel>
  )
}

export const CurveSpace = () => <div className={styles.space} role="status" aria-label="Loading the curve" />

/** The price against how much has been sold: what is sold is filled in, and a dot is where the curve is now. */
export function CurvePicture({ shape, symbol }: { shape: CurveShape; symbol: string }) {
  const [pointed, setPointed] = useState<number>()
  const { now } = shape
  const [start, end] = [shape.at(0), shape.at(1)]
  const paths = drawPaths(shape)
  const point = (event: PointerEvent<SVGSVGElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    setPointed(Math.min(1, Math.max(0, (event.clientX - left) / width)))
  }
  const shown = pointed === undefined ? now : shape.at(pointed)
  return (
    <figure className={styles.curve}>
      <p className={styles.shown} aria-hidden="true">
        <b>
          {formatPrice(shown.price)} <span>{symbol}</span>
        </b>
        <span>{pointed === undefined ? describeNow(now) : describe(shown, symbol)}</span>
      </p>
      <svg
        className={styles.plot}
        role="img"
        aria-label={`The price of one token in ${symbol} rises from ${exactly(start)} to ${exactly(end)} while the curve sells out. Now it is ${exactly(now)}, ${atShare(now)}.`}
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={() => setPointed(undefined)}
      >
        <svg viewBox="0 0 1 1" preserveAspectRatio="none" width="100%" height="100%" aria-hidden="true">
          <path d={paths.sold} className={styles.sold} />
          <path d={paths.before} className={styles.before} />
          <path d={paths.after} className={styles.after} />
        </svg>
        <line x1="0" x2="100%" y1="100%" y2="100%" className={styles.axis} />
        {pointed !== undefined && <Dot point={shown} top={end.price} className={styles.pointed} />}
        <Dot point={now} top={end.price} className={styles.now} />
      </svg>
      <div className={styles.ends} aria-hidden="true">
        <p>
          <Price price={start.price} symbol={symbol} />
          <span>at the start</span>
        </p>
        <p>
          <Price price={end.price} symbol={symbol} />
          <span>
            when sold out, at {formatNumber(end.raised)} {symbol} raised
          </span>
        </p>
      </div>
    </figure>
  )
}

const atShare = ({ share }: CurvePoint) => `with ${formatShare(share)} sold`
const describeNow = (now: CurvePoint) => (now.share === 0 ? 'for the first token' : `now, ${atShare(now)}`)
const describe = (point: CurvePoint, symbol: string) =>
  `${atShare(point)} and ${formatNumber(point.raised)} ${symbol} raised`
const exactly = ({ price }: CurvePoint) => formatPriceExactly(price)

const percent = (part: number) => `${(part * 100).toFixed(2)}%`

/** Placed by percentages, because the picture is as wide as its panel. */
function Dot({
  point: { share, price },
  top,
  className,
}: {
  point: CurvePoint
  top: number
  className: string | undefined
}) {
  const [x, y] = [percent(share), percent(1 - price / top)]
  return (
    <g className={className}>
      <line x1={x} x2={x} y1={y} y2="100%" />
      <circle cx={x} cy={y} r="5" />
    </g>
  )
}

const STEPS = 60

/** In a square of one by one, from the top left. */
function drawPaths({ now, at }: CurveShape): { sold: string; before: string; after: string } {
  const top = at(1).price
  const place = ({ share, price }: CurvePoint) => `${share.toFixed(4)} ${(1 - price / top).toFixed(4)}`
  const all = Array.from({ length: STEPS + 1 }, (_, step) => at(step / STEPS))
  const draw = (points: CurvePoint[]) => `M${points.map(place).join('L')}`
  const before = draw([...all.filter(({ share }) => share < now.share), now])
  const after = draw([now, ...all.filter(({ share }) => share > now.share)])
  return { sold: `${before}V1H0Z`, before, after }
}

/** The shape of a launch’s curve. Undefined if it has none, or if the chain can’t be read. */
export function useCurve(
  { launch }: LaunchDetail,
  network: Network,
  figures: Figures | undefined,
): { shape: CurveShape | undefined; isLoading: boolean } {
  const isReadable = useSite().settings.rpc[network] !== undefined
  const isCurve = !isRaise(launch.mechanic) && launch.graduatedAt === null
  const { data: terms, isError } = useTerms(network, launch.genesisAddress)
  const reserves = isCurve ? terms?.virtualReserves : undefined
  return {
    shape: figures && reserves && shapeOf(figures, reserves),
    isLoading: isCurve && isReadable && !terms && !isError,
  }
}

/** A place on a curve. */
interface CurvePoint {
  /** How much of what is for sale has been sold there, from 0 to 1. */
  share: number
  /** What one token costs there, without fees. */
  price: number
  /** What the curve has taken in by then, in whole tokens. */
  raised: number
}

interface CurveShape {
  now: CurvePoint
  /** The place at which this share has been sold. */
  at(share: number): CurvePoint
}

/** A curve’s price from the first token to the last. Undefined if it sells nothing. */
export function shapeOf(
  figures: Pick<Figures, 'raised' | 'sold' | 'supply' | 'quoteDecimals' | 'baseDecimals'>,
  virtualReserves: { quote: string; base: string },
): CurveShape | undefined {
  const { quoteDecimals, baseDecimals } = figures
  const [raised, sold, supply] = [BigInt(figures.raised), BigInt(figures.sold), BigInt(figures.supply)]
  const virtual = { quote: BigInt(virtualReserves.quote), base: BigInt(virtualReserves.base) }
  const reserves = { quote: virtual.quote + raised, base: virtual.base + supply - sold }
  // Without virtual tokens, the last ones have no price.
  if (supply <= 0n || reserves.quote <= 0n || virtual.base <= 0n) return undefined
  const place = (soldThere: bigint): CurvePoint => {
    const { quote, base } = reservesAfter(reserves, soldThere - sold)
    return {
      share: Number(soldThere) / Number(supply),
      price: (Number(quote) / Number(base)) * 10 ** (baseDecimals - quoteDecimals),
      raised: Math.max(0, Number(quote - virtual.quote)) / 10 ** quoteDecimals,
    }
  }
  return {
    now: place(sold),
    at: share => place((BigInt(Math.round(share * SHARES)) * supply) / BigInt(SHARES)),
  }
}

/** Shares are as fine as this. */
const SHARES = 10_000
