import { formatAmount } from '@slipway/client'
import {
  assetSignerAddress,
  associatedTokenAddress,
  delegateRecordAddress,
  executiveProfileAddress,
  identityAddress,
} from '@slipway/launch-model/addresses'
import type { Call } from '@slipway/launch-model/call'
import {
  createAsset,
  delegateExecutionCall,
  registerExecutiveCall,
  registerIdentity,
  revokeExecutionCall,
} from '@slipway/launch-model/calls/agents'
import {
  listSources,
  planDelegateChange,
  planFunding,
  planMint,
  planTokenFunding,
  planTokenWithdrawal,
  planWithdrawal,
  type TokenSource,
  takeFrom,
} from '@slipway/launch-model/plan-agent'
import { type Address, WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import { shorten } from '../lib/format.ts'
import type { Planned } from './assert-planned.ts'
import { argsIn, type Instruction, refuseInstruction } from './decode-transaction.ts'
import { type Facts, tokenIn } from './facts.ts'
import { type Intent, refuse, type Step } from './intent.ts'
import { formatSol, openedAccount, parseDocumentUrl, tokenName } from './words.ts'

type IntentOf<Kind extends string> = Extract<Intent<Address>, { kind: Kind }>

/** Creates the asset, then registers it as an agent. Where its documents are is for the service to choose. */
export function planNewAgent(
  { name, uri, agent }: IntentOf<'mint'>,
  wallet: Address,
  given: readonly Instruction[],
): Planned {
  const document = argsIn(given, createAsset) ?? refuseInstruction()
  const registered = argsIn(given, registerIdentity) ?? refuseInstruction()
  if (uri === undefined) parseDocumentUrl(document.uri)
  const documents = { name, uri: uri ?? document.uri, agentUri: registered.uri }
  const { host } = parseDocumentUrl(registered.uri)
  return {
    steps: planMint({ asset: agent, wallet }, documents),
    says: [
      {
        text: `Create the agent “${name}” at ${shorten(agent)}, owned by your wallet`,
        detail: `Asset ${agent}, owner ${wallet}, document ${documents.uri}`,
      },
      {
        text: `Register it as an agent, described by a document at ${host}`,
        detail: `Identity ${identityAddress(agent)}, document ${registered.uri}`,
      },
    ],
  }
}

/** A transfer to the agent's wallet, then the public note. */
export function planFund({ agent, lamports, memo }: IntentOf<'fund'>, wallet: Address): Planned {
  const agentWallet = assetSignerAddress(agent)
  const move: Step = {
    text: `Move ${formatSol(lamports)} from your wallet to the agent’s wallet ${shorten(agentWallet)}`,
    detail: `From ${wallet} to ${agentWallet}, the wallet of the agent ${agent}`,
    movedLamports: lamports,
  }
  return {
    steps: planFunding(agent, { sender: wallet, lamports, memo }),
    says: memo === undefined ? [move] : [move, published(memo)],
  }
}

const published = (memo: string): Step => ({ text: `Publish the note “${memo}” with it` })

/** Tokens from the sender to the agent's wallet, and the public note. SOL is wrapped on the way. */
export function planFundToken(intent: IntentOf<'fund-token'>, wallet: Address, facts: Facts): Planned {
  const { agent, mint, decimals, amount, memo } = intent
  const agentWallet = assetSignerAddress(agent)
  const token = tokenIn(facts, mint, decimals)
  const to = associatedTokenAddress(mint, agentWallet, token.program)
  const destination = `to the agent’s wallet ${shorten(agentWallet)}`
  const move: Step =
    mint === WRAPPED_NATIVE_MINT
      ? {
          text: `Move ${formatSol(amount)} from your wallet, as wrapped SOL, ${destination}`,
          detail: `From ${wallet} to ${to} of ${agentWallet}`,
          movedLamports: amount,
        }
      : {
          text: `Move ${formatAmount(amount, decimals)} of the token ${tokenName(mint)} from your wallet ${destination}`,
          detail: `From ${wallet} to ${agentWallet}, token ${mint}`,
        }
  return {
    steps: planTokenFunding(token, { sender: wallet, wallet: agentWallet, amount, memo }),
    says: [openedAccount(token, agentWallet, { payer: wallet }), move, published(memo)],
  }
}

/** One transfer from the agent's wallet to its owner, which Core carries out. */
export function planWithdraw(
  { agent, lamports }: IntentOf<'withdraw'>,
  wallet: Address,
  facts: Facts,
): Planned {
  const agentWallet = assetSignerAddress(agent)
  return byAgent(agent, facts, {
    steps: planWithdrawal(agent, wallet, lamports),
    says: [
      {
        text: `Move ${formatSol(lamports)} from the agent’s wallet ${shorten(agentWallet)} to your wallet`,
        detail: `From ${agentWallet}, the wallet of the agent ${agent}, to ${wallet}`,
        movedLamports: -lamports,
      },
    ],
  })
}

/** The last step says which collection the agent belongs to. */
function byAgent(asset: Address, { agent }: Facts, { steps, says }: Planned): Planned {
  const collection = agent?.collection
  const [last] = says.slice(-1)
  const detail = `${last?.detail}. The agent’s collection is ${collection}`
  return {
    agent: { asset, collection },
    steps,
    says: last && collection ? [...says.slice(0, -1), { ...last, detail }] : says,
  }
}

/** Tokens from the agent's wallet to its owner. Wrapped currency arrives as SOL. */
export function planWithdrawToken(
  { agent, mint, decimals, amount }: IntentOf<'withdraw-token'>,
  wallet: Address,
  facts: Facts,
): Planned {
  const agentWallet = assetSignerAddress(agent)
  const token = tokenIn(facts, mint, decimals)
  const usable = listSources(facts.agent?.held ?? [], token, agentWallet, amount === 'all')
  const held = usable.reduce((sum, one) => sum + one.amount, 0n)
  if (held === 0n || (amount !== 'all' && held < amount))
    refuse(`The agent’s wallet has only ${formatAmount(held, decimals)} of this token.`)
  const moved = amount === 'all' ? held : amount
  const sources = takeFrom(usable, moved)
  const to = associatedTokenAddress(mint, wallet, token.program)
  const says: Step[] =
    mint === WRAPPED_NATIVE_MINT
      ? sources.flatMap(source => describeUnwrapping(source, agentWallet, wallet))
      : [
          openedAccount(token, wallet, { payer: wallet }),
          {
            text: `Move ${formatAmount(moved, decimals)} of the token ${shorten(mint)} from the agent’s wallet ${shorten(agentWallet)} to your wallet`,
            detail: `From ${sources.map(({ address }) => address).join(', ')} of ${agentWallet} to ${to} of ${wallet}, token ${mint}, program ${token.program}`,
          },
        ]
  const steps = planTokenWithdrawal({ token, wallet: agentWallet, owner: wallet, sources })
  return byAgent(agent, facts, { steps, says })
}

/** An account that is emptied is closed. Of another, everything goes through the agent's wallet. */
function describeUnwrapping(
  { address, amount, lamports, taken }: TokenSource,
  agentWallet: Address,
  wallet: Address,
): Step[] {
  if (taken === amount)
    return [
      {
        text: `Turn all wrapped SOL in the agent’s account ${shorten(address)} into SOL in your wallet, and close the account`,
        detail: `Account ${address} of ${agentWallet}, to ${wallet}, with the rent of the account`,
      },
    ]
  return [
    {
      text: `Turn ${formatSol(taken)} of the agent’s wrapped SOL into SOL in your wallet`,
      detail: `From ${address} of ${agentWallet} to ${wallet}`,
      movedLamports: -taken,
    },
    {
      text: 'Wrap the rest again, in the same account of the agent',
      detail: `${formatSol(lamports - taken)} to ${address}, with the rent of the account`,
    },
  ]
}

/** Who can spend from an agent's wallet. */
export function planDelegates(
  intent: IntentOf<'delegate' | 'revoke' | 'register-executive'>,
  wallet: Address,
): Planned {
  const change = (call: Call, text: string, detail: string): Planned => ({
    steps: planDelegateChange(call),
    says: [{ text, detail }],
  })
  switch (intent.kind) {
    case 'delegate': {
      const { agent, executive } = intent
      return change(
        delegateExecutionCall(agent, wallet, executive),
        `Let ${shorten(executive)} move everything that the agent’s wallet holds, until it is revoked`,
        `Agent ${agent}, wallet ${assetSignerAddress(agent)}, delegate ${executive}`,
      )
    }
    case 'revoke': {
      const { agent, delegate } = intent
      const record = delegateRecordAddress(executiveProfileAddress(delegate), agent)
      return change(
        revokeExecutionCall(agent, wallet, record),
        `Stop ${shorten(delegate)} from spending what the agent’s wallet holds`,
        `Agent ${agent}, record ${record}, whose rent goes to ${wallet}`,
      )
    }
    case 'register-executive':
      return change(
        registerExecutiveCall(wallet),
        'Register your wallet as an executive, so that owners can appoint it',
        `Wallet ${wallet}`,
      )
  }
}
