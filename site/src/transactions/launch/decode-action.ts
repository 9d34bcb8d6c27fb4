import type { Instruction } from '../decode-transaction.ts'
import { parseDocumentUrl } from '../document-url.ts'
import { assertProgram, refuseInstruction } from '../expect-instruction.ts'
import { GENESIS_PROGRAM } from '../programs.ts'
import { type FieldReader, readFields } from '../read-fields.ts'
import { refuse } from '../unexpected.ts'
import {
  describeBehaviours,
  describeCondition,
  describeLock,
  describeSchedule,
  type Fields,
  quote,
  tokens,
  type Units,
} from './describe-fields.ts'
import { readBehaviour, readCondition, readLock, readSchedule } from './read-launch-fields.ts'

/** What kind of step an instruction of Genesis is, and everything that its data says. */
export interface LaunchAction {
  kind: ActionKind
  fields: Fields
}

export type ActionKind =
  | 'initialize'
  | 'finalize'
  | 'first buy'
  | 'proceeds'
  | 'launch pool'
  | 'launch pool extensions'
  | 'bonding curve'
  | 'bonding curve extensions'
  | `liquidity pool ${number}`
  | 'liquidity pool extensions'
  | `part ${number}`

type Decode = (fields: FieldReader, units: Units) => LaunchAction

/** Decodes an instruction of Genesis. Refuses those that no launch needs, and any byte that has no meaning here. */
export function decodeAction(instruction: Instruction, units: Units): LaunchAction {
  assertProgram(instruction, GENESIS_PROGRAM)
  const fields = readFields(instruction.data)
  const decode = DECODERS[fields.u8()] ?? refuseInstruction
  const action = decode(fields, units)
  fields.end()
  return action
}

/** By the first byte of the data. */
const DECODERS: Record<number, Decode> = {
  42: decodeInitialize,
  46(fields) {
    fields.zeros(7)
    return { kind: 'finalize', fields: {} }
  },
  53: decodeUnlocked,
  65: decodeFirstBuy,
  72: decodeLaunchPool,
  73: (fields, units) => ({
    kind: 'launch pool extensions',
    fields: readExtensions(fields, units, LAUNCH_POOL_EXTENSIONS),
  }),
  75: decodeProceeds,
  87: decodeCurve,
  88: (fields, units) => ({
    kind: 'bonding curve extensions',
    fields: readExtensions(fields, units, CURVE_EXTENSIONS),
  }),
  90: decodeProceeds,
  92: decodePool,
  93: (fields, units) => ({
    kind: 'liquidity pool extensions',
    fields: readExtensions(fields, units, POOL_EXTENSIONS),
  }),
}

function decodeInitialize(fields: FieldReader, units: Units): LaunchAction {
  const decimals = fields.u8()
  // The launch's index is 0, and its funding is a new token.
  fields.zeros(6)
  const supply = fields.u64()
  const [name, document, symbol] = [fields.text(), fields.text(), fields.text()]
  parseDocumentUrl(document)
  const described = { name, symbol, supply: tokens(supply, units), decimals: `${decimals}`, document }
  return { kind: 'initialize', fields: described }
}

/** The index of a bucket, and how much of the supply it gets. */
function readBucket(fields: FieldReader, units: Units) {
  const index = fields.u8()
  fields.zeros(6)
  return { index, allocation: tokens(fields.u64(), units) }
}

/** A launch has one primary bucket. */
function readPrimary(fields: FieldReader, units: Units): string {
  const { index, allocation } = readBucket(fields, units)
  if (index !== 0) refuseInstruction()
  return allocation
}

const condition = (fields: FieldReader): string => describeCondition(readCondition(fields))

function decodeLaunchPool(fields: FieldReader, units: Units): LaunchAction {
  const described = {
    amount: readPrimary(fields, units),
    'deposits open': condition(fields),
    'deposits close': condition(fields),
    'claims open': condition(fields),
    'claims close': condition(fields),
  }
  return { kind: 'launch pool', fields: described }
}

function decodeCurve(fields: FieldReader, units: Units): LaunchAction {
  const described = {
    amount: readPrimary(fields, units),
    'trading opens': condition(fields),
    'trading closes': condition(fields),
    'virtual reserve': quote(fields.u64(), units),
    'virtual tokens': tokens(fields.u64(), units),
  }
  return { kind: 'bonding curve', fields: described }
}

function decodePool(fields: FieldReader, units: Units): LaunchAction {
  const { index, allocation } = readBucket(fields, units)
  const described = { amount: allocation, 'pool opens': condition(fields) }
  // The cost of creating the pool is paid now.
  fields.zeros(8)
  return { kind: `liquidity pool ${index}`, fields: described }
}

function decodeUnlocked(fields: FieldReader, units: Units): LaunchAction {
  const { index, allocation } = readBucket(fields, units)
  const described = {
    amount: allocation,
    'claims open': condition(fields),
    'claims close': condition(fields),
  }
  // No backend has to sign for claims.
  fields.zeros(32)
  return { kind: `part ${index}`, fields: described }
}

const BUY = 0

function decodeFirstBuy(fields: FieldReader, units: Units): LaunchAction {
  if (fields.u8() !== BUY) refuseInstruction()
  fields.zeros(6)
  const described = { price: quote(fields.u64(), units), 'at least': tokens(fields.u64(), units) }
  return { kind: 'first buy', fields: described }
}

function readList<Item>(fields: FieldReader, read: () => Item): Item[] {
  fields.zeros(3)
  const count = fields.u32()
  if (count > 255) refuseInstruction()
  return Array.from({ length: count }, read)
}

function decodeProceeds(fields: FieldReader): LaunchAction {
  const behaviours = readList(fields, () => readBehaviour(fields))
  return { kind: 'proceeds', fields: { proceeds: describeBehaviours(behaviours) } }
}

type Extensions = Record<number, [name: string, read: (fields: FieldReader, units: Units) => string]>

/** By number. Each kind of bucket has its own. */
const LAUNCH_POOL_EXTENSIONS: Extensions = {
  2: ['withdrawal penalty', fields => describeSchedule(readSchedule(fields))],
  3: ['deposit bonus', fields => describeSchedule(readSchedule(fields))],
  8: ['goal', (fields, units) => quote(fields.u64(), units)],
}
const CURVE_EXTENSIONS: Extensions = {
  1: ['first buy', (fields, units) => `by ${fields.address()} for ${quote(fields.u64(), units)}`],
  2: ['creator fees', fields => `to ${fields.address()}`],
}
const POOL_EXTENSIONS: Extensions = {
  1: ['liquidity', fields => describeLock(readLock(fields))],
  2: ['creator fees', fields => `to ${fields.address()}`],
}

function readExtensions(fields: FieldReader, units: Units, known: Extensions): Fields {
  const described: Fields = {}
  readList(fields, () => {
    const [name, read] =
      known[fields.u8()] ?? refuse('The transaction adds a rule to the launch that this page doesn’t know.')
    if (described[name] !== undefined) refuse(`The transaction sets the ${name} twice.`)
    described[name] = read(fields, units)
  })
  return described
}
