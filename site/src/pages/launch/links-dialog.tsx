import type { LaunchDetail, Network, OwnerSignature } from '@slipway/client'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Field, focusFirstFault } from '../../components/fields.tsx'
import { titleOf } from '../../lib/launches.ts'
import { isAddress } from '../../lib/links.ts'
import { useTypedWork } from '../../lib/load-part.ts'
import { agentQuery } from '../../lib/queries.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { callRpc } from '../../lib/rpc.ts'
import { useSite } from '../../lib/site-context.ts'
import { useDraft } from '../../lib/use-draft.ts'
import { OwnerDialog } from '../../owner-changes/owner-line.tsx'
import { ReviewActions, SignChange } from '../../owner-changes/sign-change.tsx'
import { type VerifiedAccount, VerifyAccount } from '../../social/verify-account.tsx'
import type { WalletAccount } from '../../wallet/wallet-store.ts'
import {
  currentTexts,
  faultsOf,
  findLinkFault,
  isProfileOf,
  LINK_FIELDS,
  type LinkTexts,
  listLinkChanges,
  toLinks,
} from './link-fields.ts'
import styles from './links-dialog.module.css'

/** Corrects the links of a launch, for the wallet that controls it. */
export default function LinksDialog(props: {
  draftName: string
  data: LaunchDetail
  network: Network
  onClose(): void
}) {
  const { draftName, data, network, onClose } = props
  return (
    <OwnerDialog
      title="Correct the links"
      {...{ network, draftName }}
      subject={titleOf(data)}
      {...useAuthority(data, network)}
      name="the wallet that controls this launch"
      right="correct its links"
      onClose={onClose}
    >
      {(account, onCancel) => <LinksForm {...props} {...{ account, onCancel }} />}
    </OwnerDialog>
  )
}

/** A field per link, the verification of an account, and then the signature. */
function LinksForm({
  draftName,
  data,
  network,
  account,
  onClose,
  onCancel,
}: {
  draftName: string
  data: LaunchDetail
  network: Network
  account: WalletAccount
  onClose(): void
  onCancel(): void
}) {
  const { slipway, settings } = useSite()
  const { genesisAddress } = data.launch
  const [empty] = useState(() => currentTexts(data))
  const { draft: texts, change: type, clear } = useDraft(draftName, empty, {}, 'sessionStorage')
  const [refused, setRefused] = useState<Partial<LinkTexts>>({})
  const [verified, setVerified] = useState<VerifiedAccount>()
  const [isSigning, setSigning] = useState(false)
  useTypedWork(verified !== undefined, { isKept: false })
  const isProven = verified !== undefined && isProfileOf(texts.social, verified.username)
  const faults = Object.fromEntries(
    LINK_FIELDS.map(({ name }) => [name, findLinkFault(name, texts[name]) ?? refused[name]]),
  ) as Partial<LinkTexts>

  function change(name: keyof LinkTexts, text: string) {
    type({ [name]: text })
    setRefused(before => ({ ...before, [name]: undefined }))
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (Object.values(faults).some(Boolean)) focusFirstFault(event.currentTarget)
    else setSigning(true)
  }

  async function send(signed: OwnerSignature): Promise<string | undefined> {
    await slipway.launches.changeLinks(
      genesisAddress,
      { externalLinks: toLinks(texts), ...signed },
      { network },
    )
    clear()
    setVerified(undefined)
    return isProven ? prove(verified) : undefined
  }

  /** A launch that is registered stays as it is when it is registered again; only the proof is added. */
  async function prove({ username, token }: VerifiedAccount): Promise<string> {
    const { name, symbol, image } = data.baseToken
    try {
      await slipway.launches.register({
        genesisAccount: genesisAddress,
        network,
        launch: { name, symbol, image, type: data.launch.mechanic },
        socialVerificationToken: token,
      })
      return `@${username} is verified.`
    } catch (error) {
      return `But @${username} could not be verified: ${(error as Error).message}.`
    }
  }

  if (isSigning)
    return (
      <SignChange
        account={account}
        change={{
          purpose: 'change launch links',
          deployment: settings.publicUrl,
          network,
          address: genesisAddress,
          externalLinks: toLinks(texts),
        }}
        parts={listLinkChanges(data, toLinks(texts))}
        send={send}
        saved="The links are saved."
        queryKey={queryKeys.launch(network, genesisAddress)}
        onInvalid={details => {
          setRefused(faultsOf(details))
          setSigning(false)
        }}
        onBack={() => setSigning(false)}
        onClose={onClose}
      />
    )
  return (
    <form className="stack gap-4" onSubmit={submit} noValidate>
      <p className={styles.text}>
        These replace all links of the launch. Leave a field empty to remove its link.
      </p>
      {LINK_FIELDS.map(({ name, label, hint }) => (
        <Field
          key={name}
          label={label}
          hint={hint}
          value={texts[name]}
          onChange={event => change(name, event.target.value)}
          error={faults[name]}
        />
      ))}
      <section className={styles.proof}>
        <h3>Verify the account on X</h3>
        {data.verifiedSocials.includes('x') && texts.social === currentTexts(data).social ? (
          <p className={styles.text}>It is verified, and stays so as long as the link is the same.</p>
        ) : (
          <>
            {!verified && <p className={styles.text}>Optional. Without it, the link is shown as a claim.</p>}
            <VerifyAccount
              verified={verified}
              onVerified={next => {
                setVerified(next)
                if (next && !isProfileOf(texts.social, next.username)) change('social', `@${next.username}`)
              }}
            />
            {verified && !isProven && (
              <p className={styles.text}>
                The link to X is another account, so it will not be shown as verified.
              </p>
            )}
          </>
        )}
      </section>
      <ReviewActions onCancel={onCancel} />
    </form>
  )
}

/** Where the authority is in the launch's account. */
const AUTHORITY = { offset: 8, length: 32 }

/**
 * The wallet that signs for a launch: its authority on the chain, or the owner of the agent whose wallet that is. Undefined
 * while it is not known, and without an RPC that browsers may use; the service checks it in any case.
 */
function useAuthority(
  { launch: { genesisAddress }, agent: agentAddress }: LaunchDetail,
  network: Network,
): { signer: string | undefined; isPending: boolean } {
  const { slipway, settings } = useSite()
  const rpc = settings.rpc[network]
  const authority = useQuery({
    queryKey: queryKeys.authority(network, genesisAddress),
    queryFn: ({ signal }) => fetchAuthority(rpc?.url ?? '', genesisAddress, signal),
    enabled: rpc !== undefined,
    retry: 1,
  })
  const agent = useQuery({
    ...agentQuery(slipway, network, agentAddress ?? ''),
    enabled: agentAddress !== undefined,
  })
  const isAgents = agent.data !== undefined && agent.data.walletAddress === authority.data
  return {
    signer: isAgents ? agent.data?.owner : authority.data,
    isPending: authority.isLoading || agent.isLoading,
  }
}

/** An address is the base58 form of its bytes, as which the RPC can send them. */
async function fetchAuthority(url: string, genesisAddress: string, signal: AbortSignal): Promise<string> {
  const params = [genesisAddress, { encoding: 'base58', dataSlice: AUTHORITY, commitment: 'confirmed' }]
  const { value } = (await callRpc(url, 'getAccountInfo', params, signal)) as {
    value: { data?: unknown } | null
  }
  const [address] = Array.isArray(value?.data) ? value.data : []
  if (typeof address !== 'string' || !isAddress(address)) throw new Error('the RPC did not send the account')
  return address
}
