import type { Address } from '@solana/kit'
import {
  Account,
  Clock,
  FailedTransactionMetadata,
  LiteSvm,
  Rent,
  type TransactionMetadata,
} from 'litesvm/dist/internal.js'
import { StartError } from '../start-error.ts'
import { type ChainAccount, SYSTEM_PROGRAM } from './account.ts'
import { addressAt, bytesOf } from './address-bytes.ts'
import { encodeWire, type WireTransaction } from './parse-transaction.ts'
import type { InstructionError, TransactionError } from './transaction-error.ts'

export type CompiledInnerInstruction = {
  programIndex: number
  accounts: number[]
  data: Uint8Array
  stackHeight: number
}

/** LiteSVM 1.4 doesn't know version 1. `version-1.ts` turns it into a legacy transaction. */
export type VmTransaction = Pick<WireTransaction, 'message' | 'signatures'> & {
  readonly version: 'legacy' | 0
}

export type VmResult = {
  readonly err: TransactionError | null
  readonly logs: readonly string[]
  readonly unitsConsumed: number
  readonly inner: readonly (readonly CompiledInnerInstruction[])[]
  readonly returnData: { programId: string; data: Uint8Array } | null
}

export type Vm = ReturnType<typeof createVm>

const CACHED_MAX = 1_000
/** The sysvar's other fields mean nothing any more, but older programs still multiply by the threshold. */
const RENT_THRESHOLD = 1
const RENT_BURN_PERCENT = 50

/**
 * The real virtual machine, LiteSVM. Its own checks are off, because it accepts only its latest blockhash: callers must
 * check signatures, blockhashes and repeats first.
 *
 * Writes are lazy: LiteSVM gets an account when a transaction names it. Most accounts of a large chain are never named,
 * and passing one on is a hundred times slower than queueing it.
 *
 * This uses LiteSVM's native class. The one that wraps it converts every address anew, with codecs that it also creates
 * anew, which takes longer than running a transaction.
 */
export function createVm({ rentPerByte }: { rentPerByte: bigint }) {
  const svm = new LiteSvm()
  const setRent = (perByte: bigint) => svm.setRent(new Rent(perByte, RENT_THRESHOLD, RENT_BURN_PERCENT))
  setRent(rentPerByte)
  svm.setSigverify(false)
  svm.setBlockhashCheck(false)
  svm.setTransactionHistory(0n)
  svm.withNativeMints()
  const pending = new Map<Address, ChainAccount | undefined>()
  /**
   * What was read since LiteSVM could last change it. Stand-ins read the same accounts repeatedly, and each read
   * copies.
   */
  const cached = new Map<Address, ChainAccount>()

  const load = (address: Address, account: ChainAccount | undefined) => {
    pending.delete(address)
    const { lamports, data, owner, executable } = account ?? MISSING
    svm.setAccount(bytesOf(address), new Account(lamports, data, bytesOf(owner), executable, 0n))
  }
  const loadAll = (named: readonly Address[]) => {
    for (const address of named) if (pending.has(address)) load(address, pending.get(address))
  }
  const programs = new Set<Address>()

  return {
    read(address: Address): ChainAccount | undefined {
      if (pending.has(address)) return pending.get(address)
      const known = cached.get(address)
      if (known) return known
      const read = toChainAccount(svm.getAccount(bytesOf(address)))
      if (!read) return undefined
      if (read.executable) programs.add(address)
      if (cached.size >= CACHED_MAX) cached.clear()
      // The VM changes its sysvars by itself.
      if (read.owner !== SYSVAR_OWNER) cached.set(address, read)
      return read
    },

    /** Like `read(address)?.executable`, but does not copy a program that is known to be one: it stays one. */
    isProgram(address: Address): boolean {
      return programs.has(address) || this.read(address)?.executable === true
    },

    write(address: Address, account: ChainAccount | undefined): void {
      cached.delete(address)
      if (!account?.executable) programs.delete(address)
      // Programs are not lazy: no transaction names the account that holds a program's code.
      if (account && (account.executable || LOADERS.has(account.owner))) load(address, account)
      else pending.set(address, account)
    },

    /** `named` lists every account of the message, including lookup tables and the accounts loaded from them. */
    send(tx: VmTransaction, named: readonly Address[]): VmResult {
      loadAll(named)
      for (const address of named) cached.delete(address)
      const wire = encodeWire(tx)
      return toResult(
        tx.version === 'legacy' ? svm.sendLegacyTransaction(wire) : svm.sendVersionedTransaction(wire),
      )
    },

    simulate(
      tx: VmTransaction,
      named: readonly Address[],
    ): VmResult & { accounts: Map<Address, ChainAccount | undefined> } {
      loadAll(named)
      const wire = encodeWire(tx)
      const outcome =
        tx.version === 'legacy' ? svm.simulateLegacyTransaction(wire) : svm.simulateVersionedTransaction(wire)
      if (outcome instanceof FailedTransactionMetadata) return { ...toResult(outcome), accounts: new Map() }
      const accounts = new Map(
        outcome
          .postAccounts()
          .map(post => [addressAt(post.address), toChainAccount(post.account())] as const),
      )
      return { ...toResult(outcome.meta()), accounts }
    },

    addProgram(address: Address, elf: Uint8Array): void {
      svm.addProgram(bytesOf(address), elf)
    },

    /** What programs read as the present time. */
    setClock({ slot, epoch, unixTime }: { slot: number; epoch: number; unixTime: number }): void {
      svm.setClock(new Clock(BigInt(slot), 0n, BigInt(epoch), BigInt(epoch + 1), BigInt(unixTime)))
    },

    /** `recent` lists earlier slots, newest first, for programs that check whether a slot is recent. */
    setTime(
      now: { slot: number; epoch: number; unixTime: number },
      recent: readonly { slot: number; hash: string }[],
    ): void {
      this.setClock(now)
      svm.setSlotHashes(recent.map(({ slot, hash }) => ({ slot: BigInt(slot), hash })))
      svm.expireBlockhash()
    },

    /** The accounts that LiteSVM starts with: sysvars, native and loaded programs, the wrapped SOL mints. */
    builtIns(): Map<Address, ChainAccount> {
      const addresses = [
        ...NATIVE_MINTS,
        ...NATIVE_OWNERS.flatMap(owner =>
          svm.getProgramAccounts(bytesOf(owner)).map(({ address }) => addressAt(address)),
        ),
      ]
      return new Map(
        addresses.flatMap(address => {
          const account = this.read(address)
          return account ? [[address, account] as const] : []
        }),
      )
    },

    /** Sets the rent of new accounts. */
    setRent,
    rentExemptMinimum: (size: number): bigint => svm.minimumBalanceForRentExemption(BigInt(size)),
  }
}

const NATIVE_MINTS = [
  'So11111111111111111111111111111111111111112',
  '9pan9bMn5HatX4EJdBwg9VgCa7Uz5HL8N1m5D3NdXej9',
] as Address[]
const LOADERS = new Set([
  'BPFLoader1111111111111111111111111111111111',
  'BPFLoader2111111111111111111111111111111111',
  'BPFLoaderUpgradeab1e11111111111111111111111',
  'LoaderV411111111111111111111111111111111111',
] as Address[])
export const SYSVAR_OWNER = 'Sysvar1111111111111111111111111111111111111' as Address
const NATIVE_OWNERS = ['NativeLoader1111111111111111111111111111111' as Address, SYSVAR_OWNER, ...LOADERS]

const MISSING: ChainAccount = {
  lamports: 0n,
  owner: SYSTEM_PROGRAM,
  data: new Uint8Array(),
  executable: false,
}

function toChainAccount(account: Account | null): ChainAccount | undefined {
  const lamports = account?.lamports() ?? 0n
  if (!account || lamports === 0n) return undefined
  return {
    lamports,
    owner: addressAt(account.owner()),
    data: new Uint8Array(account.data()),
    executable: account.executable(),
  }
}

function toResult(outcome: TransactionMetadata | FailedTransactionMetadata): VmResult {
  const failed = outcome instanceof FailedTransactionMetadata
  const meta = failed ? outcome.meta() : outcome
  const returned = meta.returnData()
  const data = new Uint8Array(returned.data())
  return {
    err: failed ? toError(outcome.err()) : null,
    logs: meta.logs(),
    unitsConsumed: Number(meta.computeUnitsConsumed()),
    inner: meta.innerInstructions().map(list =>
      list.map(inner => {
        const ix = inner.instruction()
        return {
          programIndex: ix.programIdIndex(),
          accounts: [...ix.accounts()],
          data: new Uint8Array(ix.data()),
          stackHeight: inner.stackHeight(),
        }
      }),
    ),
    returnData: data.length === 0 ? null : { programId: addressAt(returned.programId()), data },
  }
}

function toError(error: ReturnType<FailedTransactionMetadata['err']>): TransactionError {
  if (typeof error === 'number') return TRANSACTION_ERROR_NAMES[error] ?? 'SanitizeFailure'
  if ('err' in error) {
    const inner = error.err()
    const named: InstructionError =
      typeof inner === 'number'
        ? (INSTRUCTION_ERROR_NAMES[inner] ?? 'GenericError')
        : 'code' in inner
          ? { Custom: inner.code }
          : 'BorshIoError'
    return { InstructionError: [error.index, named] }
  }
  if ('accountIndex' in error) {
    return error.constructor.name === 'TransactionErrorInsufficientFundsForRent'
      ? { InsufficientFundsForRent: { account_index: error.accountIndex } }
      : { ProgramExecutionTemporarilyRestricted: { account_index: error.accountIndex } }
  }
  return { DuplicateInstruction: error.index }
}

/** Adds a program to the VM. Throws a `StartError` that names the file of a binary that is damaged. */
export function loadProgram(vm: Vm, address: Address, elf: Uint8Array): void {
  try {
    vm.addProgram(address, elf)
  } catch (error) {
    throw new StartError(
      `programs/${address}.so cannot be loaded (${(error as Error).message}). Fetch it again or remove it.`,
    )
  }
}

/** Loads the stored accounts into the empty VM; programs come after the data accounts that they point to. */
export function restoreVm(
  vm: Vm,
  entries: Iterable<[Address, ChainAccount]>,
  onError: (error: Error) => void,
): void {
  const ordered = [...entries].sort(([, a], [, b]) => Number(a.executable) - Number(b.executable))
  for (const [address, account] of ordered) {
    try {
      vm.write(address, account)
    } catch (error) {
      onError(new Error(`account ${address} could not be restored: ${(error as Error).message}`))
    }
  }
}

/**
 * The VM's error numbers. LiteSVM declares its enums as `const`, so their names do not exist at run time.
 */
export const TRANSACTION_ERROR_NAMES: Record<number, string> = {
  0: 'AccountInUse',
  1: 'AccountLoadedTwice',
  2: 'AccountNotFound',
  3: 'ProgramAccountNotFound',
  4: 'InsufficientFundsForFee',
  5: 'InvalidAccountForFee',
  6: 'AlreadyProcessed',
  7: 'BlockhashNotFound',
  8: 'CallChainTooDeep',
  9: 'MissingSignatureForFee',
  10: 'InvalidAccountIndex',
  11: 'SignatureFailure',
  12: 'InvalidProgramForExecution',
  13: 'SanitizeFailure',
  14: 'ClusterMaintenance',
  15: 'AccountBorrowOutstanding',
  16: 'WouldExceedMaxBlockCostLimit',
  17: 'UnsupportedVersion',
  18: 'InvalidWritableAccount',
  19: 'WouldExceedMaxAccountCostLimit',
  20: 'WouldExceedAccountDataBlockLimit',
  21: 'TooManyAccountLocks',
  22: 'AddressLookupTableNotFound',
  23: 'InvalidAddressLookupTableOwner',
  24: 'InvalidAddressLookupTableData',
  25: 'InvalidAddressLookupTableIndex',
  26: 'InvalidRentPayingAccount',
  27: 'WouldExceedMaxVoteCostLimit',
  28: 'WouldExceedAccountDataTotalLimit',
  29: 'MaxLoadedAccountsDataSizeExceeded',
  30: 'ResanitizationNeeded',
  31: 'InvalidLoadedAccountsDataSizeLimit',
  32: 'UnbalancedTransaction',
  33: 'ProgramCacheHitMaxLimit',
  34: 'CommitCancelled',
}

export const INSTRUCTION_ERROR_NAMES: Record<number, string> = {
  0: 'GenericError',
  1: 'InvalidArgument',
  2: 'InvalidInstructionData',
  3: 'InvalidAccountData',
  4: 'AccountDataTooSmall',
  5: 'InsufficientFunds',
  6: 'IncorrectProgramId',
  7: 'MissingRequiredSignature',
  8: 'AccountAlreadyInitialized',
  9: 'UninitializedAccount',
  10: 'UnbalancedInstruction',
  11: 'ModifiedProgramId',
  12: 'ExternalAccountLamportSpend',
  13: 'ExternalAccountDataModified',
  14: 'ReadonlyLamportChange',
  15: 'ReadonlyDataModified',
  16: 'DuplicateAccountIndex',
  17: 'ExecutableModified',
  18: 'RentEpochModified',
  19: 'NotEnoughAccountKeys',
  20: 'AccountDataSizeChanged',
  21: 'AccountNotExecutable',
  22: 'AccountBorrowFailed',
  23: 'AccountBorrowOutstanding',
  24: 'DuplicateAccountOutOfSync',
  25: 'InvalidError',
  26: 'ExecutableDataModified',
  27: 'ExecutableLamportChange',
  28: 'ExecutableAccountNotRentExempt',
  29: 'UnsupportedProgramId',
  30: 'CallDepth',
  31: 'MissingAccount',
  32: 'ReentrancyNotAllowed',
  33: 'MaxSeedLengthExceeded',
  34: 'InvalidSeeds',
  35: 'InvalidRealloc',
  36: 'ComputationalBudgetExceeded',
  37: 'PrivilegeEscalation',
  38: 'ProgramEnvironmentSetupFailure',
  39: 'ProgramFailedToComplete',
  40: 'ProgramFailedToCompile',
  41: 'Immutable',
  42: 'IncorrectAuthority',
  43: 'AccountNotRentExempt',
  44: 'InvalidAccountOwner',
  45: 'ArithmeticOverflow',
  46: 'UnsupportedSysvar',
  47: 'IllegalOwner',
  48: 'MaxAccountsDataAllocationsExceeded',
  49: 'MaxAccountsExceeded',
  50: 'MaxInstructionTraceLengthExceeded',
  51: 'BuiltinProgramsMustConsumeComputeUnits',
  52: 'BorshIoError',
}
