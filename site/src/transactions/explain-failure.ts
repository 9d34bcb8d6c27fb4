import { explainFailure as explainTrade } from '@slipway/client'
import {
  ASSOCIATED_TOKEN_PROGRAM,
  CORE_PROGRAM,
  GENESIS_PROGRAM,
  IDENTITY_PROGRAM,
  RAYDIUM_PROGRAMS,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '@slipway/launch-model/programs'

/**
 * The official names of the errors of programs, in the order of their codes. A test compares them with the official
 * clients.
 */
const list = (names: string): readonly string[] => names.trim().split(/\s+/)

export const GENESIS_ERRORS = list(`
  InvalidSystemProgram DeserializationError SerializationError NumericalOverflow InvalidAccount
  InvalidInstruction DeserializationInstructionError InvalidSplTokenProgram InvalidAtaProgram
  MissingSystemProgram MissingAtaProgram NameTooLong InvalidGenesisAccountDerivation
  InvalidBucketAccountDerivation InvalidAuthority InsufficientAmountRemaining
  InstructionNotImplemented InvalidDepositPdaDerivation InvalidFeeWallet InvalidStartTime
  LaunchPoolNotStarted LaunchPoolEnded ClaimNotStarted InvalidTokenMetadataProgram InvalidUnlockTime
  LaunchPoolNotEnded InsufficientFunds InvalidBucket ExpectedInflowBucket ExpectedOutflowBucket
  MissingTokenAccount InvalidAssociatedTokenProgram InvalidEndTime InvalidClaimStartTime
  InvalidMintForGenesisAccount InvalidGenesisAccountForBucket InvalidBucketForDepositPda
  InvalidMintForTokenAccount InvalidTokenAccountOwner RecipientMismatch InvalidRent
  InvalidTimelockProgram LockNotStarted GenesisAccountFinalized GenesisAccountNotFinalized
  InvalidDistributionAddress InvalidBucketState InvalidGenesisAccount InvalidBucketIndex
  DepositAlreadyClaimed InvalidBucketAddress UnlockedBucketAlreadyClaimed InvalidProgramOwnerForBucket
  BucketIsNotYetFunded StreamflowNotInitialized UnlockedBucketNotInitialized
  BucketDoesNotSupportFunding InflowsMustBeCompleted InvalidAtaDerivation DistributionNotStarted
  GenesisAccountAlreadyFinalized InvalidSolAllocationBps InvalidMintForDistribution DistributionEnded
  PresaleSaleNotStarted PresaleSaleEnded PresaleBucketAlreadyFunded PresaleBucketNotEnded
  PresaleBucketWithdrawNotAllowed InvalidBackendSigner InvalidPresaleDepositAmount
  PresaleDepositLimitExceeded PresaleDepositCooldownActive PresalePerCooldownDepositLimitExceeded
  InvalidMerkleProof InvalidFeeAuthority InvalidFeeOverrideType InvalidFeeOverride FeeTransferFailed
  InvalidPenaltyWallet InvalidLinearSchedule InsufficientFundsForPenaltyFee InvalidScheduleTiming
  VaultNotEnded VaultNotStarted VaultEnded InvalidAmount InsufficientOutputAmount BondingCurveNotEnded
  InvalidConstantProduct BondingCurveNotStarted BondingCurveEnded BondingCurveConstantProductDecreased
  BondingCurveInsufficientFunds InvalidOrdinal InvalidActionsAuthority VaultWithdrawNotAllowed
  VaultDepositConsumed BucketPaused InvalidAuctionTree InvalidAuctionTreeState InvalidTokenAllocation
  InvalidBidIncrement InvalidTokenQuantityBps InvalidMinimumPrice InvalidMaximumBidQuantity
  MaximumBidQuantityExceedsAllocation InvalidAuctionExtensionConfig AuctionNotStarted AuctionEnded
  AuctionNotEnded InvalidAuctionBid InvalidAuctionBidPdaDerivation InvalidBucketForAuctionBid
  InvalidBidIndex UnauthorizedBidder BidPriceCannotBeZero BidQuantityCannotBeZero BidPriceBelowMinimum
  BidQuantityBelowMinimum BidQuantityExceedsMaximum BidQuantityExceedsTotalAllocation
  BidNotCompetitive BidPriceCannotDecrease BidQuantityCannotDecrease CannotCloseWinningBid
  RefundAlreadyClaimed BidNotWinning LosingBidderCannotRebid InvalidAuctionCapacity
  TokensAlreadyClaimed TokensNotClaimed RefundNotClaimed RaydiumBucketNotInitialized
  MissingRaydiumBucketSigner RaydiumBucketNotFunded InvalidRaydiumBucketSigner InvalidRaydiumProgram
  InvalidNativeSolMint InvalidQuoteMint InvalidQuoteMintForGenesisAccount InvalidGenesisAccountIndex
  InvalidQuoteTokenAccountMint InvalidQuoteTokenAccountOwner InvalidDepositPdaAccount
  MissingBackendSigner PresaleClaimEnded DestinationBucketNotFound InvalidPrimaryBucketOwner
  InvalidPrimaryBucket InvalidSecondaryBucket InvalidFundingMode UnlockedBucketClaimEnded
  MissingAuthoritySourceTokenAccount InvalidAuthoritySourceTokenAccount InvalidPresaleDeposit
  InvalidClaimSchedulePeriod InvalidClaimScheduleDuration InvalidClaimScheduleCliffAmount
  ClaimScheduleDurationTooShort SaleNotEnded NoUnsoldTokens InvalidUnsoldWithdrawalAmount
  BucketDoesNotSupportUnsoldWithdrawal PresaleNotFullyClaimed SourceBucketNotFound
  InvalidMinimumDepositAmount PresaleDepositBelowMinimum BehaviorPercentageOverflow
  InvalidTokenAccountProgramOwner InvalidMetadataAccount LaunchPoolClaimEnded
  LaunchPoolFundingThresholdNotMet LaunchPoolThresholdMet InvalidMinimumQuoteTokenThreshold
  BehaviorNotSupportedForBucketType MissingPenaltyQuoteTokenAccount DepositAlreadyRefunded
  InvalidBaseTokenAllocation InvalidAllocationQuoteTokenCap InvalidRaydiumSigner
  InvalidRaydiumPermissionPda LaunchPoolMissingGraduationBehavior MissingFinalizeBucketAccounts
  StreamflowBucketAlreadyLocked LockEnded InvalidStreamflowConfig TotalSupplyNotFullyAllocated
  BucketAlreadyGraduated GraduationNotStarted InvalidStreamflowMetadataAccount InvalidSupplyDelta
  InvalidMintAuthority InvalidMintAndBurn SupplyBelowAllocated MissingAuthorityDestinationTokenAccount
  InvalidAuthorityDestinationTokenAccount InvalidConditionType InvalidRemainingAccountsLength
  InsufficientUnlockedAmount NoLpTokensToClaim InvalidLpClaimAuthority InvalidRaydiumAmmConfig
  UninitializedCondition InvalidConditionTypeForSlot InstructionDeprecated InvalidRaydiumPoolState
  InvalidLaunchType InvalidSwapDirection BondingCurveMissingGraduationBehavior FirstBuyRestricted
  FirstBuyAmountMismatch InvalidFirstBuyConfig InvalidBehaviorType MissingFirstBuySigner
  SwapAmountBelowMinimum InvalidCreatorFeeConfig MissingCreatorFeeAccount InvalidCreatorFeeWallet
  InvalidPoolStatePda
`)

export const CORE_ERRORS = list(`
  InvalidSystemProgram DeserializationError SerializationError PluginsNotInitialized PluginNotFound
  NumericalOverflow IncorrectAccount IncorrectAssetHash InvalidPlugin InvalidAuthority AssetIsFrozen
  MissingCompressionProof CannotMigrateMasterWithSupply CannotMigratePrints CannotBurnCollection
  PluginAlreadyExists NumericalOverflowError AlreadyCompressed AlreadyDecompressed InvalidCollection
  MissingUpdateAuthority MissingNewOwner MissingSystemProgram NotAvailable InvalidAsset
  MissingCollection NoApprovals CannotRedelegate InvalidPluginSetting ConflictingAuthority
  InvalidLogWrapperProgram ExternalPluginAdapterNotFound ExternalPluginAdapterAlreadyExists
  MissingAsset MissingExternalPluginAdapterAccount OracleCanRejectOnly RequiresLifecycleCheck
  DuplicateLifecycleChecks InvalidOracleAccountData UninitializedOracleAccount MissingSigner
  InvalidPluginOperation CollectionMustBeEmpty TwoDataSources UnsupportedOperation NoDataSources
  InvalidPluginAdapterTarget CannotAddDataSection PermanentDelegatesPreventMove InvalidExecutePda
  BlockedByBubblegumV2 AgentIdentityMustSign GroupMustBeEmpty DuplicateEntry GroupVectorFull
  GroupNestingDepthExceeded InconsistentGroupRelationship
`)

export const IDENTITY_ERRORS = list(`
  InvalidSystemProgram InvalidInstructionData InvalidAccountData InvalidMplCoreProgram
  InvalidCoreAsset InvalidAgentToken OnlyAssetSignerCanSetAgentToken AgentTokenAlreadySet
  InvalidAgentIdentity AgentIdentityAlreadyRegistered InvalidGenesisAccount GenesisNotMintFunded
`)

const NOT_ENOUGH_SOL = 'There isn’t enough SOL for this.'
const NOT_THE_OWNER = 'Your wallet may not do this: it isn’t the owner, or no longer is.'
const EXISTS = 'An account that this would create exists already. It may have been sent before.'
const EXPIRED = 'The transaction has expired. Try again with a new one.'
const RENT = 'An account would be left with too little SOL for its rent. Leave more in it, or nothing.'

/**
 * Why a transaction failed, in words for the person who sent it. `error` is the `err` of a JSON-RPC response; the
 * logs tell which program a number belongs to.
 */
export function explainFailure(error: unknown, logs: readonly string[]): string {
  if (typeof error === 'string')
    return TRANSACTION_ERRORS[error] ?? `The network refused it: ${toWords(error)}.`
  const [name] = isObject(error) ? Object.keys(error) : []
  if (!isObject(error) || name === undefined) return 'The network refused it without a reason.'
  if ('InsufficientFundsForRent' in error) return RENT
  const { InstructionError: failed } = error
  if (!Array.isArray(failed)) return `The network refused it: ${toWords(name)}.`
  return explainInstruction(failed[1], logs)
}

/** Those that people meet. The names are the network's own. */
const TRANSACTION_ERRORS: Record<string, string> = {
  AccountNotFound: 'Your wallet has no SOL on this network.',
  AlreadyProcessed: 'This transaction has been carried out already.',
  BlockhashNotFound: EXPIRED,
  InsufficientFundsForFee: 'Your wallet doesn’t have enough SOL for the fee.',
  InvalidRentPayingAccount: RENT,
  SignatureFailure: 'A signature is missing or wrong.',
}

const INSTRUCTION_ERRORS: Record<string, string> = {
  AccountAlreadyInitialized: EXISTS,
  ComputationalBudgetExceeded: 'It needs more computation than it may use.',
  InsufficientFunds: NOT_ENOUGH_SOL,
  InvalidAccountOwner: 'An account doesn’t exist yet, or belongs to another program.',
  MissingRequiredSignature: 'A signature is missing.',
}

function explainInstruction(reason: unknown, logs: readonly string[]): string {
  const program = findFailedProgram(logs)
  if (isObject(reason) && 'Custom' in reason) return explainCode(Number(reason.Custom), program)
  const name = isObject(reason) ? Object.keys(reason)[0] : reason
  if (typeof name !== 'string') return 'A program refused it without a reason.'
  return INSTRUCTION_ERRORS[name] ?? `${nameOf(program)} refused it: ${toWords(name)}.`
}

/** A failure is logged by the innermost program first, and its number is passed on unchanged. */
function findFailedProgram(logs: readonly string[]): string | undefined {
  for (const line of logs) {
    const [, program] = /^Program (\w{32,44}) failed: /.exec(line) ?? []
    if (program) return program
  }
  return undefined
}

/** Sentences for numbers whose names say too little. */
const CODES: Record<string, Record<number, string>> = {
  [SYSTEM_PROGRAM]: { 0: EXISTS, 1: NOT_ENOUGH_SOL },
  [TOKEN_PROGRAM]: { 1: 'A token account doesn’t hold enough for this.', 4: NOT_THE_OWNER },
  [TOKEN_2022_PROGRAM]: { 1: 'A token account doesn’t hold enough for this.', 4: NOT_THE_OWNER },
  [CORE_PROGRAM]: { 9: NOT_THE_OWNER, 26: NOT_THE_OWNER },
}

const PROGRAMS: Record<string, { name: string; errors: readonly string[] }> = {
  [CORE_PROGRAM]: { name: 'The agent’s program (Core)', errors: CORE_ERRORS },
  [IDENTITY_PROGRAM]: { name: 'The registry of agents', errors: IDENTITY_ERRORS },
  [GENESIS_PROGRAM]: { name: 'The launch’s program (Genesis)', errors: GENESIS_ERRORS },
  [RAYDIUM_PROGRAMS.mainnet]: { name: 'The pool’s program (Raydium)', errors: [] },
  [RAYDIUM_PROGRAMS.devnet]: { name: 'The pool’s program (Raydium)', errors: [] },
  [SYSTEM_PROGRAM]: { name: 'The system program', errors: [] },
  [TOKEN_PROGRAM]: { name: 'The token program', errors: [] },
  [TOKEN_2022_PROGRAM]: { name: 'The token program', errors: [] },
  [ASSOCIATED_TOKEN_PROGRAM]: { name: 'The program of token accounts', errors: [] },
}

function explainCode(code: number, program: string | undefined): string {
  const known = program && (CODES[program]?.[code] ?? explainTaking(code, program))
  if (known) return known
  const name = program && PROGRAMS[program]?.errors[code]
  return `${nameOf(program)} refused it: ${name ? toWords(name) : `error ${code}`}.`
}

/** The programs that people trade and deposit with. The client has words for what happens to them there. */
const TRADING: readonly string[] = [GENESIS_PROGRAM, ...Object.values(RAYDIUM_PROGRAMS)]
/** Below this, a number means something else to these programs than to token programs. */
const TRADING_CODE_MIN = 20

function explainTaking(code: number, program: string): string | undefined {
  if (!TRADING.includes(program) || code < TRADING_CODE_MIN) return undefined
  const failure = explainTrade({ InstructionError: [0, { Custom: code }] })
  return failure && `${failure.message}.`
}

const nameOf = (program: string | undefined): string =>
  program ? (PROGRAMS[program]?.name ?? `The program ${program}`) : 'A program'

/** `InvalidCreatorFeeWallet` becomes `invalid creator fee wallet`. */
const toWords = (name: string): string =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
