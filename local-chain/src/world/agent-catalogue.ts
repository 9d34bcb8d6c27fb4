/** What kind of registration document an agent has. The invalid kinds exist on the real network too. */
type DocumentKind = 'rich' | 'minimal' | 'missing' | 'broken' | 'huge' | 'list' | 'inline'

export type AgentEntry = {
  readonly slug: string
  readonly name: string
  readonly description: string
  readonly document: DocumentKind
  readonly inCollection?: boolean
  readonly identity: 1 | 2 | 'none'
  /** Slug of the launch whose token is the agent's. */
  readonly token?: string
  readonly fundsSol: number
  /** Transferred to another owner after it was created. */
  readonly soldOn?: boolean
  readonly burnt?: boolean
  readonly skills?: readonly (readonly [id: string, name: string, tag: string])[]
  readonly note: string
}

export const agentCatalogue: readonly AgentEntry[] = [
  {
    slug: 'patchbot',
    name: 'Patchbot',
    description:
      'Watches your continuous integration, finds the change that broke it and proposes the smallest repair.',
    document: 'rich',
    inCollection: true,
    identity: 2,
    token: 'patchbot',
    fundsSol: 4.2,
    skills: [
      ['bisect', 'Find the breaking change', 'ci'],
      ['repair', 'Propose a repair', 'code'],
      ['explain', 'Explain a failure', 'code'],
    ],
    note: 'in a collection, identity version 2, token, funds, rich document',
  },
  {
    slug: 'tidewatch',
    name: 'Tidewatch',
    description: 'Tide tables and small-craft warnings for harbours that the big services leave out.',
    document: 'rich',
    inCollection: true,
    identity: 2,
    fundsSol: 1.75,
    skills: [
      ['forecast', 'Forecast a tide', 'weather'],
      ['warn', 'Warn small craft', 'weather'],
    ],
    note: 'in a collection, identity version 2, funds, no token',
  },
  {
    slug: 'quiet-engine',
    name: 'Quiet Engine',
    description: 'Turns off what nobody is using and reports what it saved.',
    document: 'rich',
    identity: 2,
    token: 'quiet-engine',
    fundsSol: 0.6,
    skills: [['audit', 'Audit consumption', 'energy']],
    note: 'no collection, identity version 2, token, funds',
  },
  {
    slug: 'night-heron',
    name: 'Night Heron',
    description: 'A patient trader. It stands still most of the time.',
    document: 'rich',
    identity: 2,
    token: 'night-heron',
    fundsSol: 12.5,
    soldOn: true,
    skills: [['quote', 'Quote a price', 'trading']],
    note: 'sold: its owner is not its creator',
  },
  {
    slug: 'archivist',
    name: 'Archivist',
    description: 'Keeps the minutes of organisations that forget.',
    document: 'rich',
    inCollection: true,
    identity: 1,
    fundsSol: 0.9,
    skills: [['recall', 'Recall a decision', 'memory']],
    note: 'in a collection, identity version 1, funds',
  },
  {
    slug: 'bellringer',
    name: 'Bellringer',
    description: 'Rings when something has changed.',
    document: 'minimal',
    identity: 1,
    fundsSol: 0.05,
    note: 'no collection, identity version 1, a document with only the required fields',
  },
  {
    slug: 'mudlark',
    name: 'Mudlark',
    description: 'Finds things on beaches and argues about what they are.',
    document: 'minimal',
    identity: 2,
    token: 'mudlark',
    fundsSol: 0,
    note: 'identity version 2, token, no funds at all',
  },
  {
    slug: 'ghostwriter',
    name: 'Ghostwriter',
    description: '',
    document: 'missing',
    identity: 2,
    fundsSol: 0.3,
    note: 'its document answers 404',
  },
  {
    slug: 'scrambled',
    name: 'Scrambled',
    description: '',
    document: 'broken',
    inCollection: true,
    identity: 2,
    fundsSol: 0.3,
    note: 'its document is not JSON',
  },
  {
    slug: 'leviathan',
    name: 'Leviathan',
    description: '',
    document: 'huge',
    identity: 2,
    fundsSol: 0.3,
    note: 'its document is far too large',
  },
  {
    slug: 'shopping-list',
    name: 'Shopping List',
    description: '',
    document: 'list',
    identity: 2,
    fundsSol: 0.3,
    note: 'its document is a JSON array, not an object',
  },
  {
    slug: 'inline',
    name: 'Inline',
    description: 'Carries its own papers: the document is in the URI.',
    document: 'inline',
    identity: 2,
    fundsSol: 0.25,
    note: 'its document is a data: URI',
  },
  {
    slug: 'understudy',
    name: 'Understudy',
    description: 'Learns the part in case the star does not turn up.',
    document: 'rich',
    inCollection: true,
    identity: 2,
    token: 'understudy',
    fundsSol: 2,
    skills: [['rehearse', 'Rehearse a task', 'learning']],
    note: 'in a collection, token, funds',
  },
  {
    slug: 'unregistered',
    name: 'Unregistered',
    description: 'An asset that never became an agent.',
    document: 'minimal',
    identity: 'none',
    fundsSol: 0.4,
    note: 'an asset without an identity: funds can be withdrawn, but it is not an agent',
  },
  {
    slug: 'ashes',
    name: 'Ashes',
    description: 'What is left of an agent.',
    document: 'minimal',
    identity: 2,
    fundsSol: 0.1,
    burnt: true,
    note: 'burnt: one byte is left of it',
  },
]
