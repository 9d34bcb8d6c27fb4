import type { IncomingMessage } from 'node:http'

export type PageRequest = Pick<IncomingMessage, 'method' | 'url' | 'headers'>

export const wantsPage = ({ method, headers }: PageRequest): boolean =>
  (method === 'GET' || method === 'HEAD') && headers.accept?.includes('text/html') === true
