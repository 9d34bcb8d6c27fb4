import type { StandIn } from './stand-in.ts'

/** Every program that can be stood in for. */
export const standIns: readonly StandIn[] = []
