/** Set by the process that starts workers, to the worker's number. Operators set WORKERS. */
export const WORKER_VARIABLE = 'SLIPWAY_WORKER'
