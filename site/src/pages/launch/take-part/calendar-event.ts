/** Long names and texts are cut: some calendars refuse long lines. */
const TEXT_MAX = 60

/** A launch's opening as a file that calendars open, with a reminder a quarter of an hour before. */
export function toCalendarEvent({
  id,
  title,
  url,
  startTime,
}: {
  /** Tells events apart, so that opening the file twice adds one. */
  id: string
  title: string
  url: string
  /** In ISO 8601. */
  startTime: string
}): string {
  const time = startTime.replaceAll(/[-:]|\.\d+/g, '')
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Slipway//EN',
    'BEGIN:VEVENT',
    `UID:${id}`,
    `DTSTAMP:${time}`,
    `DTSTART:${time}`,
    `SUMMARY:${escapeText(title)} opens`,
    `URL:${url}`,
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    'DESCRIPTION:Opens soon',
    'TRIGGER:-PT15M',
    'END:VALARM',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n')
}

/** Names come from strangers, who must not be able to add lines. */
const escapeText = (text: string): string =>
  [...text.replaceAll(/\p{Cc}+/gu, ' ')]
    .slice(0, TEXT_MAX)
    .join('')
    .replaceAll(/[\\;,]/g, String.raw`\$&`)
