import type { SaleKind } from './launch-addresses.ts'

/** Times are in hours since the creation of the world; negative ones are in the past. */
export type LaunchEntry = {
  readonly slug: string
  readonly name: string
  readonly symbol: string
  readonly description: string
  readonly mechanic: SaleKind
  readonly startHours: number
  /** Of launch pools and presales: curves are open from their creation until they are full, unless they wait. */
  readonly endHours: number
  /** SOL. */
  readonly deposited: number
  readonly graduated?: boolean
  /** Whether a pool or presale is followed by an AMM bucket, as every curve is. */
  readonly amm?: boolean
  readonly spotlight?: boolean
  /** Left unregistered, so that you can register it yourself. */
  readonly unregistered?: boolean
  readonly links?: readonly Link[]
  /** Its mint is changed to one of Token-2022. */
  readonly token2022?: boolean
  /** SOL that a launch pool must raise; otherwise its deposits are refunded. */
  readonly goal?: number
  /** How many deposits there are besides the visitor's. One by default. */
  readonly deposits?: number
  /** SOL of the deposits that belong to the visitor. */
  readonly ofVisitor?: number
  /** Whether depositors get their tokens over a year. */
  readonly releases?: boolean
  /** Whether tokens can be claimed only after graduation. Then someone has to trigger the claims' condition. */
  readonly claimsAtGraduation?: boolean
  /**
   * A curve that does not trade: it opens later, waits for its first buy, or is sold out and has not graduated. Or a
   * pool or presale that has ended and has not graduated.
   */
  readonly waits?: 'for its start' | 'for its first buy' | 'for graduation'
}
type Link = 'website' | 'social' | 'telegram' | 'discord'

export type AgentEntry = {
  readonly slug: string
  readonly name: string
  readonly description: string
  /** What kind of registration document it has. The invalid kinds exist on the real network too. */
  readonly document: 'rich' | 'minimal' | 'missing' | 'broken' | 'huge' | 'list' | 'inline'
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

/**
 * What a creator can claim from a launch, in lamports. A curve has as many left as its last trade accrued, or none; what
 * accrued before has been claimed. `pool` is not yet collected from the pool.
 */
export type RewardSource = {
  readonly launch: string
  readonly curve: { readonly unclaimed: bigint }
  readonly amm?: { readonly accrued: bigint; readonly claimed: bigint; readonly pool: bigint }
}

/** One minute, in hours. Some launches start a few minutes after the world is created. */
const MINUTE = 1 / 60
const ALL_LINKS: readonly Link[] = ['website', 'social', 'telegram', 'discord']

/** The launches of the demo: invented projects. */
// biome-ignore format: one launch per line
export const launchCatalogue: readonly LaunchEntry[] = launches([
  ['tidewater', 'Tidewater', 'TIDE', 'launchpoolV2', 2 * MINUTE, 48, 0, { spotlight: true, links: ALL_LINKS }, 'Forecasts for small harbours, bought a day at a time by the boats that need them.'],
  ['lantern-grid', 'Lantern Grid', 'LANT', 'launchpoolV2', 6, 54, 0, { links: ['website', 'social'] }, 'Street lamps that sell the sunlight they did not use.'],
  ['saltbox', 'Saltbox', 'SALT', 'launchpoolV2', 170, 338, 0, {}, 'A pantry co-operative: members buy the harvest before it is planted.'],
  ['orchard-ledger', 'Orchard Ledger', 'ORCH', 'launchpoolV2', -20, 28, 184, { deposits: 5, spotlight: true, links: ALL_LINKS }, 'Every tree has an account. The pickers are paid from it before the buyers are billed.'],
  ['quiet-engine', 'Quiet Engine', 'QUIET', 'launchpoolV2', -44, 4, 312, { deposits: 5, amm: true, links: ['website', 'social', 'discord'] }, 'An agent that turns off what nobody is using, and is paid a share of the bill it saved.'],
  ['paper-lighthouse', 'Paper Lighthouse', 'PAPER', 'launchpoolV2', -3, 69, 12, {}, 'Open-access journals, refereed by people who are paid for refereeing.'],
  ['northbound', 'Northbound', 'NORTH', 'launchpoolV2', -70, 26, 77, { deposits: 5, links: ['website'] }, 'Shared freight for valleys that the big carriers skip.'],
  ['glasshouse', 'Glasshouse', 'GLASS', 'launchpoolV2', -12, 84, 41, { unregistered: true, links: ['website', 'social'] }, 'Greenhouse rows let by the week, watered by a very patient agent.'],
  ['ferrywright', 'Ferrywright', 'FERRY', 'launchpoolV2', -240, -72, 520, { graduated: true, amm: true, spotlight: true, links: ALL_LINKS }, 'Tickets for ferries that run when enough people want them to.'],
  ['kiln', 'Kiln', 'KILN', 'launchpoolV2', -400, -232, 98, { graduated: true, links: ['website', 'telegram'] }, "Time in a potter's kiln, from a single shelf upwards."],
  ['common-thread', 'Common Thread', 'WEAVE', 'launchpoolV2', -600, -500, 143, { graduated: true, amm: true }, 'Mending circles with a treasury: the loom pays for the yarn.'],
  ['stonefruit', 'Stonefruit', 'STONE', 'launchpoolV2', -900, -800, 66, { graduated: true, links: ['website', 'social'] }, "The season's plums as a token. Redeem it for jam."],
  // Pools that have ended, with deposits of the visitor.
  ['slack-water', 'Slack Water', 'SLACK', 'launchpoolV2', -60, -6, 150, { amm: true, claimsAtGraduation: true, waits: 'for graduation', ofVisitor: 4, links: ['website'] }, 'The tide has turned. Someone still has to open the sluice.'],
  ['tollgate', 'Tollgate', 'TOLL', 'launchpoolV2', -340, -260, 210, { graduated: true, amm: true, claimsAtGraduation: true, ofVisitor: 7, links: ['social'] }, 'One gate, many carts. The keeper shares what he takes.'],
  ['cloud-cellar', 'Cloud Cellar', 'CELLR', 'launchpoolV2', -120, -48, 18, { goal: 200, ofVisitor: 3 }, 'Weather in jars, laid down for later. Too few people wanted weather.'],
  ['long-meadow', 'Long Meadow', 'MEADW', 'launchpoolV2', -900, -620, 96, { graduated: true, releases: true, ofVisitor: 5, links: ['website', 'social'] }, 'Sown once and cut in strips, one every week until the year is out.'],
  ['meridian-maps', 'Meridian Maps', 'MERI', 'presaleV2', 12, 132, 0, { spotlight: true, links: ALL_LINKS }, 'Footpaths walked and checked this year, not copied from the last map.'],
  ['birdsong', 'Birdsong Index', 'SONG', 'presaleV2', 60, 180, 0, { links: ['website', 'discord'] }, 'Microphones in hedges, and an agent that knows who is singing.'],
  ['second-shift', 'Second Shift', 'SHIFT', 'presaleV2', 10 * MINUTE, 26, 0, {}, 'Workshops rent their machines by night. The token books the hours.'],
  ['cold-harbour', 'Cold Harbour', 'COLD', 'presaleV2', -30, 90, 255, { deposits: 5, spotlight: true, links: ALL_LINKS }, 'Cold storage for fishermen, priced by the degree.'],
  ['almanac', 'Almanac', 'ALMA', 'presaleV2', -8, 40, 34, { links: ['website'] }, "A garden calendar that learns from its neighbours' failures."],
  ['slow-radio', 'Slow Radio', 'SLOW', 'presaleV2', -100, 20, 88, { deposits: 5, links: ['social', 'telegram'] }, 'One long broadcast. Listeners choose what it plays next week.'],
  ['bellwether', 'Bellwether', 'BELL', 'presaleV2', -60, 12, 19, { token2022: true, links: ['website', 'social'] }, 'Sheep with opinions about the weather, audited daily.'],
  ['footbridge', 'Footbridge', 'FOOT', 'presaleV2', -300, -180, 470, { graduated: true, amm: true, links: ALL_LINKS }, 'Small public works, funded by those who will walk over them.'],
  ['inkwell', 'Inkwell', 'INK', 'presaleV2', -500, -400, 120, { graduated: true, links: ['website', 'social'] }, 'Advances for first novels, repaid in signed copies.'],
  ['wintering', 'Wintering', 'WINTR', 'presaleV2', -720, -600, 205, { graduated: true, amm: true }, 'Beehives that travel south in lorries, and the maps they draw.'],
  // Presales that have ended, with deposits of the visitor.
  ['night-ferry', 'Night Ferry', 'NIGHT', 'presaleV2', -90, -10, 310, { amm: true, claimsAtGraduation: true, waits: 'for graduation', ofVisitor: 6, links: ['social'] }, 'Most berths are taken. She sails when somebody casts off.'],
  ['herring-row', 'Herring Row', 'HERR', 'presaleV2', -420, -330, 280, { graduated: true, amm: true, ofVisitor: 8, links: ['website', 'telegram'] }, 'Sold by the barrel before the boats go out.'],
  ['seed-vault', 'Seed Vault', 'SEEDS', 'presaleV2', -960, -700, 160, { graduated: true, releases: true, ofVisitor: 2 }, 'Heirloom beans, handed out a little at a time so that nobody plants them all at once.'],
  ['patchbot', 'Patchbot', 'PATCH', 'bondingCurveV2', 0, 0, 21, { spotlight: true, links: ALL_LINKS }, 'Fixes the build while you sleep, apologises in the commit message.'],
  ['mudlark', 'Mudlark', 'MUD', 'bondingCurveV2', 0, 0, 9, { links: ['social'] }, 'Finds things on beaches. Argues about what they are.'],
  ['kettle', 'Kettle', 'KETL', 'bondingCurveV2', 0, 0, 3, {}, 'A coin for people who have just put the kettle on.'],
  ['dovetail', 'Dovetail', 'DOVE', 'bondingCurveV2', 0, 0, 78, { links: ['website', 'social'] }, 'Joins two calendars without asking either owner to move lunch.'],
  ['night-heron', 'Night Heron', 'HERON', 'bondingCurveV2', 0, 0, 58, { links: ['social', 'telegram'] }, 'Stands still for hours and then trades once.'],
  ['gravel', 'Gravel', 'GRVL', 'bondingCurveV2', 0, 0, 1, {}, 'It is only gravel. There is a lot of it.'],
  ['brass-compass', 'Brass Compass', 'BRASS', 'bondingCurveV2', 0, 0, 17, { links: ['website'] }, 'Answers questions about directions, including rhetorical ones.'],
  ['understudy', 'Understudy', 'UNDER', 'bondingCurveV2', 0, 0, 30, { links: ['social', 'discord'] }, 'Learns the part in case the star does not turn up.'],
  ['pocket-owl', 'Pocket Owl', 'OWL', 'bondingCurveV2', 0, 0, 26, { links: ['website', 'social'] }, 'Reads the terms and conditions and hoots at clause nine.'],
  ['tinder-box', 'Tinderbox', 'BOX', 'bondingCurveV2', 0, 0, 6, {}, 'Three dogs, one soldier, a curve.'],
  // Curves that do not trade yet or no longer trade. The visitor can make the first buy.
  ['low-water', 'Low Water', 'LOW', 'bondingCurveV2', 72, 0, 0, { waits: 'for its start', links: ['website'] }, 'Opens when the tide does. Bring boots.'],
  ['first-light', 'First Light', 'DAWN', 'bondingCurveV2', 0, 0, 0, { waits: 'for its first buy', links: ['social'] }, 'The first buy is promised. Everyone else waits for it.'],
  ['full-house', 'Full House', 'FULL', 'bondingCurveV2', 0, 0, 85, { waits: 'for graduation' }, 'Every seat is sold. The curtain is still down.'],
  // Nearly full: it graduates within minutes if the market runs.
  ['ravelin', 'Ravelin', 'RAVL', 'bondingCurveV2', 0, 0, 83, {}, 'A fortress of small bets, each a little in front of the next.'],
  ['harbour-cat', 'Harbour Cat', 'CAT', 'bondingCurveV2', 0, 0, 85, { graduated: true, amm: true, spotlight: true, links: ALL_LINKS }, 'Knows every crew. Belongs to none of them.'],
  ['driftwood', 'Driftwood', 'DRIFT', 'bondingCurveV2', 0, 0, 85, { graduated: true, amm: true, links: ['website', 'social'] }, 'What the sea gave back, sold by the metre.'],
  ['copper-kite', 'Copper Kite', 'KITE', 'bondingCurveV2', 0, 0, 85, { graduated: true, amm: true, links: ['social'] }, 'Flies best just before the storm. Do not hold the string.'],
  ['moss', 'Moss', 'MOSS', 'bondingCurveV2', 0, 0, 85, { graduated: true, amm: true }, 'Grows slowly on everything. Has never been in a hurry.'],
  ['little-dipper', 'Little Dipper', 'DIP', 'bondingCurveV2', 0, 0, 85, { graduated: true, amm: true, links: ['website', 'telegram'] }, 'Buys a spoonful every hour, whatever the news says.'],
  ['foghorn', 'Foghorn', 'FOG', 'bondingCurveV2', 0, 0, 85, { graduated: true, amm: true, links: ['social', 'discord'] }, 'Loud, late and usually right.'],
])

/** The agents of the demo. */
// biome-ignore format: one agent per line
export const agentCatalogue: readonly AgentEntry[] = agents([
  ['patchbot', 'Patchbot', 'rich', 2, 4.2, { inCollection: true, token: 'patchbot', skills: [['bisect', 'Find the breaking change', 'ci'], ['repair', 'Propose a repair', 'code'], ['explain', 'Explain a failure', 'code']] }, 'in a collection, identity version 2, token, funds, rich document', 'Watches your continuous integration, finds the change that broke it and proposes the smallest repair.'],
  ['tidewatch', 'Tidewatch', 'rich', 2, 1.75, { inCollection: true, skills: [['forecast', 'Forecast a tide', 'weather'], ['warn', 'Warn small craft', 'weather']] }, 'in a collection, identity version 2, funds, no token', 'Tide tables and small-craft warnings for harbours that the big services leave out.'],
  ['quiet-engine', 'Quiet Engine', 'rich', 2, 0.6, { token: 'quiet-engine', skills: [['audit', 'Audit consumption', 'energy']] }, 'no collection, identity version 2, token, funds', 'Turns off what nobody is using and reports what it saved.'],
  ['night-heron', 'Night Heron', 'rich', 2, 12.5, { token: 'night-heron', soldOn: true, skills: [['quote', 'Quote a price', 'trading']] }, 'sold: its owner is not its creator', 'A patient trader. It stands still most of the time.'],
  ['archivist', 'Archivist', 'rich', 1, 0.9, { inCollection: true, skills: [['recall', 'Recall a decision', 'memory']] }, 'in a collection, identity version 1, funds', 'Keeps the minutes of organisations that forget.'],
  ['bellringer', 'Bellringer', 'minimal', 1, 0.05, {}, 'no collection, identity version 1, a document with only the required fields', 'Rings when something has changed.'],
  ['mudlark', 'Mudlark', 'minimal', 2, 0, { token: 'mudlark' }, 'identity version 2, token, no funds at all', 'Finds things on beaches and argues about what they are.'],
  ['ghostwriter', 'Ghostwriter', 'missing', 2, 0.3, {}, 'its document answers 404', ''],
  ['scrambled', 'Scrambled', 'broken', 2, 0.3, { inCollection: true }, 'its document is not JSON', ''],
  ['leviathan', 'Leviathan', 'huge', 2, 0.3, {}, 'its document is far too large', ''],
  ['shopping-list', 'Shopping List', 'list', 2, 0.3, {}, 'its document is a JSON array, not an object', ''],
  ['inline', 'Inline', 'inline', 2, 0.25, {}, 'its document is a data: URI', 'Carries its own papers: the document is in the URI.'],
  ['understudy', 'Understudy', 'rich', 2, 2, { inCollection: true, token: 'understudy', skills: [['rehearse', 'Rehearse a task', 'learning']] }, 'in a collection, token, funds', 'Learns the part in case the star does not turn up.'],
  ['unregistered', 'Unregistered', 'minimal', 'none', 0.4, {}, 'an asset without an identity: funds can be withdrawn, but it is not an agent', 'An asset that never became an agent.'],
  ['ashes', 'Ashes', 'minimal', 2, 0.1, { burnt: true }, 'burnt: one byte is left of it', 'What is left of an agent.'],
])

/** The wallets that earn fees, each with the launches that pay it. */
// biome-ignore format: one launch per line
export const rewardCatalogue: readonly { slug: string; note: string; sources: readonly RewardSource[] }[] = [
  { slug: 'one-bucket', note: 'one curve with something to claim', sources: [
    { launch: 'dovetail', curve: { unclaimed: 420_000_000n } },
  ] },
  { slug: 'two-buckets', note: "a curve and its pool, the pool's fees already collected", sources: [
    { launch: 'harbour-cat', curve: { unclaimed: 300_000_000n }, amm: { accrued: 1_340_000_000n, claimed: 0n, pool: 0n } },
  ] },
  { slug: 'five-buckets', note: 'three curves and two pools, both with uncollected fees', sources: [
    { launch: 'driftwood', curve: { unclaimed: 240_000_000n }, amm: { accrued: 310_000_000n, claimed: 110_000_000n, pool: 735_000_000n } },
    { launch: 'copper-kite', curve: { unclaimed: 55_000_000n }, amm: { accrued: 0n, claimed: 0n, pool: 1_800_000_000n } },
    { launch: 'pocket-owl', curve: { unclaimed: 30_000_000n } },
  ] },
  { slug: 'nothing-left', note: 'everything has been claimed', sources: [
    { launch: 'moss', curve: { unclaimed: 0n }, amm: { accrued: 5n, claimed: 5n, pool: 0n } },
  ] },
]

type LaunchRow = [
  slug: string,
  name: string,
  symbol: string,
  mechanic: SaleKind,
  startHours: number,
  endHours: number,
  deposited: number,
  more: Partial<LaunchEntry>,
  description: string,
]
function launches(rows: readonly LaunchRow[]): LaunchEntry[] {
  return rows.map(([slug, name, symbol, mechanic, startHours, endHours, deposited, more, description]) => ({
    ...{ slug, name, symbol, description, mechanic, startHours, endHours, deposited },
    ...more,
  }))
}

type AgentRow = [
  slug: string,
  name: string,
  document: AgentEntry['document'],
  identity: AgentEntry['identity'],
  fundsSol: number,
  more: Partial<AgentEntry>,
  note: string,
  description: string,
]
function agents(rows: readonly AgentRow[]): AgentEntry[] {
  return rows.map(([slug, name, document, identity, fundsSol, more, note, description]) => ({
    ...{ slug, name, description, document, identity, fundsSol, note },
    ...more,
  }))
}
