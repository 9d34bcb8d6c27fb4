import type { DocumentFailure, FailureReason } from '../metadata/fetched-document.ts'

/** Why a document cannot be fetched, in words. */
export const describeDocumentFailure = ({ reason, detail }: DocumentFailure): string =>
  `${REASONS[reason]}${detail ? ` (${detail})` : ''}`

const REASONS: Record<FailureReason, string> = {
  'bad-uri': 'its URI is not valid',
  'private-address': 'its host has a private address, which METADATA_ALLOW_HOSTS does not list',
  unreachable: 'its host cannot be reached',
  timeout: 'its host did not answer in time',
  'http-status': 'its host answered with an error',
  'bad-redirect': 'its host redirected to a URL that cannot be used',
  'too-many-redirects': 'its host redirected too often',
  'too-large': 'it is too large',
  'bad-encoding': 'its encoding is not valid',
  'too-complex': 'its JSON is nested too deeply or has too many values',
  'not-json': 'it is not JSON',
  'not-an-object': 'it is not a JSON object',
  busy: 'too many documents are being fetched',
  stopped: 'the fetch was stopped',
}
