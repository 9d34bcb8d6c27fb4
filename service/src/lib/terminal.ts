import { styleText } from 'node:util'

/** A stream that may be a terminal, such as `process.stdout`. */
export interface TextStream {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

type Environment = Readonly<Record<string, string | undefined>>

/** Whether to write colours: `NO_COLOR` and `FORCE_COLOR` decide; without them, only a terminal gets colours. */
export function usesColors({ isTTY }: Pick<TextStream, 'isTTY'>, env: Environment): boolean {
  if (env.NO_COLOR || env.FORCE_COLOR === '0' || env.FORCE_COLOR === 'false') return false
  return Boolean(env.FORCE_COLOR) || (isTTY === true && env.TERM !== 'dumb')
}

type Format = Parameters<typeof styleText>[0]
export type Style = (format: Format, text: string) => string

/** Formats text for the stream, or returns it unchanged if the stream gets no colours. */
export const createStyle = (stream: Pick<TextStream, 'isTTY'>, env: Environment): Style =>
  usesColors(stream, env)
    ? (format, text) => styleText(format, text, { validateStream: false })
    : (_, text) => text

/** Moves to the start of the current line and clears it. */
export const CLEAR_LINE = '\r\u001b[K'

/** Removes control characters: names and documents are untrusted and must not control the terminal. */
export const printable = (text: string) => text.replace(/[\p{Cc}\p{Cf}]/gu, '')
