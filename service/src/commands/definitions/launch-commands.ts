import { CHANGE, CHANGED, type CommandDefinition, READ, READ_BOTH } from './command-definition.ts'

const ADDRESS = '8pMnqTkQTKzcRkLB1dHbvN4hHX7hBvVbZtJ6yTCkBhUo'
const WALLET = 'Gk2xYv3nR5mB8tQ7wZp4cJ6hL9dF1sA3eN5uX7yT2rVb'
const LAUNCHES = { '<genesis-address...>': 'genesis addresses of launches' }
const LAUNCH = { '<genesis-address>': 'genesis address of the launch' }

export const LAUNCH_COMMANDS: readonly CommandDefinition[] = [
  {
    name: 'spotlight list',
    summary: 'List the launches in the spotlight',
    effect: 'Changes nothing.',
    ...READ_BOTH,
    example: '',
    json: ['store', 'networks', 'launches'],
    run: async context => (await import('../spotlight.ts')).listSpotlight(context),
  },
  {
    name: 'spotlight add',
    summary: 'Add launches to the spotlight',
    effect: 'The launches appear in responses with spotlight=true, on all nodes, within a second.',
    operands: LAUNCHES,
    ...CHANGE,
    example: ADDRESS,
    json: CHANGED,
    run: async context => (await import('../spotlight.ts')).spotlightLaunches(context, true),
  },
  {
    name: 'spotlight remove',
    summary: 'Remove launches from the spotlight',
    effect: 'The launches disappear from responses with spotlight=true, on all nodes, within a second.',
    operands: LAUNCHES,
    ...CHANGE,
    example: ADDRESS,
    json: CHANGED,
    run: async context => (await import('../spotlight.ts')).spotlightLaunches(context, false),
  },
  {
    name: 'launch hide',
    summary: 'Hide launches from all responses',
    effect: 'The launches disappear from every response, including those about their agents.',
    operands: LAUNCHES,
    ...CHANGE,
    example: ADDRESS,
    json: CHANGED,
    run: async context => (await import('../launch.ts')).hideLaunches(context, true),
  },
  {
    name: 'launch unhide',
    alias: 'show',
    summary: 'Show hidden launches in responses again',
    effect: 'The launches appear in responses again.',
    operands: LAUNCHES,
    ...CHANGE,
    example: ADDRESS,
    json: CHANGED,
    run: async context => (await import('../launch.ts')).hideLaunches(context, false),
  },
  {
    name: 'launch refresh',
    summary: 'Correct a launch from the chain and its document',
    effect: 'Corrects times, mechanic, status, name, image and description in the store.',
    operands: LAUNCH,
    ...CHANGE,
    example: ADDRESS,
    json: ['store', 'network', 'rpc', 'address', 'outcome'],
    run: async context => (await import('../launch.ts')).refreshStoredLaunch(context),
  },
  {
    name: 'launch inspect',
    summary: 'Compare what store, chain and document say about a launch',
    effect: 'Changes nothing.',
    operands: LAUNCH,
    ...READ,
    example: ADDRESS,
    json: ['store', 'network', 'rpc', 'address', 'stored', 'chain', 'document', 'fields', 'buckets'],
    run: async context => (await import('../inspect-launch.ts')).inspectLaunch(context),
  },
  {
    name: 'position',
    summary: 'Show what a wallet has in a launch',
    effect: 'Changes nothing.',
    operands: { ...LAUNCH, '<wallet>': "a wallet, or an agent's wallet" },
    ...READ,
    example: `${ADDRESS} ${WALLET}`,
    json: ['store', 'network', 'rpc', 'launch', 'position'],
    run: async context => (await import('../position.ts')).showPosition(context),
  },
]
