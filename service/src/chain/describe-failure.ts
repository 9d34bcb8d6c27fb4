import type { Simulation } from './rpc/requests.ts'

const MESSAGE_MAX = 200

/**
 * Why a simulated transaction fails: what a program said last about itself, or else the error that the node reports.
 */
export const describeFailure = ({ err, logs }: Simulation): string =>
  logs
    .filter(line => line.startsWith('Program log: ') && !line.startsWith('Program log: Instruction: '))
    .at(-1)
    ?.slice('Program log: '.length)
    .slice(0, MESSAGE_MAX) ?? JSON.stringify(err)
