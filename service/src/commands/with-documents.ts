import type { Config } from '../config.ts'
import { createDocuments, type Documents } from '../metadata/documents.ts'
import { createSafeFetch } from '../metadata/fetch/safe-fetch.ts'
import { allowedHosts } from './with-chain.ts'

/** Runs a command that fetches strangers' documents, as safely as the service does. */
export async function withDocuments<T>(
  config: Config,
  work: (documents: Documents) => Promise<T>,
): Promise<T> {
  const fetcher = createSafeFetch({ allowHosts: allowedHosts(config) })
  try {
    return await work(createDocuments({ ...config.metadata, fetch: fetcher.fetch }))
  } finally {
    fetcher.close()
  }
}
