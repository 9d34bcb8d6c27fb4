import type { TransactionBuilder } from '@metaplex-foundation/umi'
import type { Address } from '@slipway/schema/address'
import { addressAt } from '../addresses/base58.ts'
import { programs } from '../addresses/learn-finder.ts'
import { officialClients, once } from '../official-clients.ts'

/** One instruction: whom it calls, with which accounts and which bytes. */
export interface Instruction {
  program: Address
  accounts: InstructionAccount[]
  data: Uint8Array
}

export interface InstructionAccount {
  address: Address
  isSigner: boolean
  isWritable: boolean
}

/**
 * An official builder, asked once, with marked accounts, what it builds. After that an instruction is its answer with the
 * accounts put in. Which accounts may be equal does not matter here: they are told apart by name.
 */
export function learnInstruction<const Name extends string>(
  names: readonly Name[],
  build: (context: BuilderContext<Name>) => TransactionBuilder,
): (accounts: Record<Name, Address>, data?: Uint8Array) => Instruction {
  const template = once(() => learnTemplate(names, build))
  return (accounts, data) => {
    const { program, keys, data: sameData } = template()
    return {
      program,
      accounts: keys.map(({ name, fixed, isSigner, isWritable }) => ({
        address: name === undefined ? fixed : accounts[name],
        isSigner,
        isWritable,
      })),
      data: data ?? sameData,
    }
  }
}

/** What builders are given: marks for the accounts, and as much of Umi as they use. */
export interface BuilderContext<Name extends string> {
  /** For builders that take plain addresses. */
  keys: Record<Name, never>
  /** For those that take a signer; nobody signs here. */
  signers: Record<Name, never>
  /** A context whose derived address, should the builder ask for one, is `derived`. */
  umi(payer: Name, derived?: Name): never
}

interface Template<Name> {
  program: Address
  /** An account that goes by a name, or one that is always the same. */
  keys: { name: Name | undefined; fixed: Address; isSigner: boolean; isWritable: boolean }[]
  data: Uint8Array
}

function learnTemplate<Name extends string>(
  names: readonly Name[],
  build: (context: BuilderContext<Name>) => TransactionBuilder,
): Template<Name> {
  const marks = new Map(names.map((name, index) => [name, mark(index)]))
  const byMark = new Map([...marks].map(([name, address]) => [address, name]))
  const signers = new Map([...marks].map(([name, address]) => [name, signerOf(address)]))
  const [instruction, ...more] = build({
    keys: Object.fromEntries(marks) as Record<Name, never>,
    signers: Object.fromEntries(signers) as Record<Name, never>,
    umi: (payer, derived) =>
      ({
        programs,
        payer: signers.get(payer),
        identity: signers.get(payer),
        eddsa: {
          findPda() {
            if (derived === undefined)
              throw new Error('an official builder derives an address that it was not given')
            return [marks.get(derived), 255]
          },
        },
      }) as never,
  }).getInstructions()
  if (!instruction || more.length > 0) throw new Error('an official builder does not build one instruction')
  const keys = instruction.keys.map(({ pubkey, isSigner, isWritable }) => {
    const fixed = pubkey as string as Address
    return { name: byMark.get(fixed), fixed, isSigner, isWritable }
  })
  const unused = names.find(name => !keys.some(key => key.name === name))
  if (unused !== undefined) throw new Error(`an official builder does not use ${unused}`)
  return { program: instruction.programId as string as Address, keys, data: instruction.data }
}

/** Keys that nobody has. */
const mark = (index: number): Address => addressAt(new Uint8Array(32).fill(0xee).fill(index, 24))

const signerOf = (address: Address) => officialClients.umi().createNoopSigner(address as never)
