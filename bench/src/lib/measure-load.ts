import type { Child, Usage } from './child.ts'
import type { LoadOptions, LoadResult } from './load.ts'

export interface ChildServer {
  child: Child
  port: number
}

export interface LoadSample {
  perSecond: number
  /** The server's CPU time per response. */
  cpuMicros: number
}

/** Loads a server from another process and measures the server's rate and CPU time. */
export async function measureLoad(
  load: Child,
  { child, port }: ChildServer,
  options: Omit<LoadOptions, 'port'>,
): Promise<LoadSample> {
  const before = await child.call<Usage>('usage', null)
  const { perSecond, responses } = await load.call<LoadResult>('generateLoad', { port, ...options })
  const after = await child.call<Usage>('usage', null)
  return { perSecond, cpuMicros: (after.cpuMicros - before.cpuMicros) / responses }
}
