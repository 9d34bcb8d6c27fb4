/** For the attacks that are not about rate limits. They share it, because each new environment restarts the service. */
export const UNLIMITED = {
  PUBLIC_URL: 'https://slipway.example',
  TRUST_PROXY: 'loopback',
  RATE_LIMIT_READS: '0',
  RATE_LIMIT_WRITES: '0',
  SHUTDOWN_DELAY: '2',
  DOCUMENTS_PER_OWNER: '1',
}
