/** The most steps between the lowest and the highest value, before these are rounded outwards. */
const STEPS_MAX = 4
/** The least span, as a share of the highest value, so that a small change is not drawn as a leap. */
const SPAN_MIN = 0.1

/** What an axis shows: steps of 1, 2 or 5 around the values, so that its first and last line have labels. */
export function valueRange(low: number, high: number, isFromZero: boolean): [number, number] {
  if (isFromZero) return wholeSteps(Math.min(0, low), high)
  const room = Math.max(0, high * SPAN_MIN - (high - low)) / 2
  return wholeSteps(Math.max(0, low - room), high + room)
}

function wholeSteps(low: number, high: number): [number, number] {
  const least = (high - low || 1) / STEPS_MAX
  const power = 10 ** Math.floor(Math.log10(least))
  const step = power * ([1, 2, 5].find(factor => factor * power >= least) ?? 10)
  const bottom = Math.floor(low / step) * step
  return [bottom, Math.max(Math.ceil(high / step) * step, bottom + step)]
}
