import { core } from './core/core.ts'
import { genesis } from './genesis/genesis.ts'
import { identity } from './identity/identity.ts'
import type { StandIn } from './stand-in.ts'

/** Every program that can be stood in for. */
export const standIns: readonly StandIn[] = [core, identity, genesis]
