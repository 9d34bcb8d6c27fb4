const DAY_MS = 86_400_000
/** 27 years. Strangers choose some of the times, so the number of days in memory needs a limit. */
const DAYS_MAX = 10_000
const dates = new Map<number, string>()
const TWO_DIGITS = Array.from({ length: 60 }, (_, value) => `${value}`.padStart(2, '0'))
const THREE_DIGITS = Array.from({ length: 1_000 }, (_, value) => `${value}`.padStart(3, '0'))

/** The same text as `toISOString`, which takes six times as long: a start writes four of them for every launch. */
export function isoTime(time: Date): string {
  const ms = time.getTime()
  const day = Math.floor(ms / DAY_MS)
  const ofDay = ms - day * DAY_MS
  const seconds = Math.floor(ofDay / 1_000)
  const minutes = Math.floor(seconds / 60)
  return `${isoDate(day)}T${TWO_DIGITS[Math.floor(minutes / 60)]}:${TWO_DIGITS[minutes % 60]}:${
    TWO_DIGITS[seconds % 60]
  }.${THREE_DIGITS[ofDay % 1_000]}Z`
}

function isoDate(day: number): string {
  const known = dates.get(day)
  if (known !== undefined) return known
  const [date = ''] = new Date(day * DAY_MS).toISOString().split('T')
  if (dates.size === DAYS_MAX) dates.clear()
  dates.set(day, date)
  return date
}
