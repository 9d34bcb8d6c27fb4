import { readFileSync } from 'node:fs'
import type { ErrorCode, ErrorDetail, ServiceError } from '@slipway/schema/errors'
import { findInstalled } from '../../lib/find-installed.ts'
import { toPlainText } from './tool-input.ts'

export type ExplainError = (code: ErrorCode) => string

/** What each error means and what to do about it. The page of the documentation is the only source. */
export function createErrorHelp(): ExplainError {
  let help: Map<string, string> | undefined
  return code => {
    help ??= parseErrorPage(readFileSync(findInstalled('docs/errors.md'), 'utf8'))
    return help.get(code) ?? ''
  }
}

/** A section is `## CODE`, then status and text, and then the explanation. */
function parseErrorPage(markdown: string): Map<string, string> {
  const sections = markdown.split(/^## /m).slice(1)
  return new Map(
    sections.map(section => {
      const [code = '', ...lines] = section.split('\n')
      const text = toPlainText(lines.join(' ').trim()).replace(/^\d{3} `[^`]*`\.?\s*/, '')
      return [code.trim(), text]
    }),
  )
}

/** An error as a model reads it: what happened, which fields are wrong, and what to do. */
export function describeError(
  explain: ExplainError,
  { code, message }: ServiceError,
  details: readonly ErrorDetail[] = [],
): { text: string; error: object } {
  // The fields say more than the page does.
  const help = code === 'INVALID_INPUT' && details.length > 0 ? '' : explain(code)
  const fields = details.map(({ path, message: problem }) => `- ${[path].flat().join('.')}: ${problem}`)
  return {
    text: [`${message} (${code}).`, ...fields, help].filter(line => line !== '').join('\n'),
    error: { code, message, ...(help !== '' && { help }), ...(details.length > 0 && { details }) },
  }
}
