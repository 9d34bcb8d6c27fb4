import { type PointerEvent, useState } from 'react'
import { Price } from '../../../components/price.tsx'
import { formatNumber, formatPrice, formatPriceExactly, formatShare } from '../../../lib/format.ts'
import styles from './curve-picture.module.css'
import type { CurvePoint, CurveShape } from './curve-shape.ts'

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
