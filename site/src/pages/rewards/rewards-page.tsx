import type { Network, Slipway } from '@slipway/client'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useId, useState } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { Button, LinkButton } from '../../components/button.tsx'
import { Amount } from '../../components/figures.tsx'
import { PageHead } from '../../components/layout.tsx'
import { Notice } from '../../components/notice.tsx'
import { TokenPicture } from '../../components/token-picture.tsx'
import { formatSaid, quoteSymbol, shorten } from '../../lib/format.ts'
import { useTitle } from '../../lib/hooks.ts'
import { readLaunchPage } from '../../lib/launch-rows.ts'
import { figuresOf, launchHref, titleOf } from '../../lib/launches.ts'
import { isAddress } from '../../lib/links.ts'
import { parseNetwork } from '../../lib/networks.ts'
import { activityQuery, launchQuery, rewardsQuery } from '../../lib/queries.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { useSite } from '../../lib/site-context.ts'
import { openWalletDialog, useWallet } from '../../wallet/wallet-store.ts'
import { definePage, type LoadContext, type LoadedPage, loadOptional } from '../page.ts'
import styles from './rewards.module.css'
import { rewardsHref } from './token-amount.tsx'
import { WalletRewards } from './wallet-rewards.tsx'

const DESCRIPTION =
  'What a wallet has earned from the launches that pay their creator fees to it: per token, per launch, and what it can claim now.'

/** The field for a wallet. Without script, the form comes back here with `q`. */
export const rewardsPage = definePage({
  path: '/rewards',
  Component: Rewards,
  async load(context, _params, search) {
    const { networks } = context.settings
    const wallet = search.get('q')?.trim() ?? ''
    const network = parseNetwork(search, networks)
    const isKnown = isAddress(wallet)
    return {
      head: {
        title: 'Rewards',
        description: DESCRIPTION,
        path: isKnown ? rewardsHref(wallet, network, networks) : '/rewards',
        isIndexed: wallet === '',
      },
      data: isKnown
        ? await loadWallet(context, wallet, network)
        : await loadOptional(context, earningsQuery(context.slipway, network)),
    }
  },
})

export const walletRewardsPage = definePage<'wallet'>({
  path: '/rewards/:wallet',
  Component: WalletPage,
  async load(context, { wallet }, search) {
    const { networks } = context.settings
    const network = parseNetwork(search, networks)
    const head = {
      title: `Rewards of ${shorten(wallet)}`,
      description: DESCRIPTION,
      path: rewardsHref(wallet, network, networks),
      isIndexed: false,
    }
    if (!isAddress(wallet)) return { status: 404, head: { ...head, title: 'Not a wallet' }, data: [] }
    return { head, data: await loadWallet(context, wallet, network) }
  },
})

/** The launches of the largest buckets come along; the browser asks for the others. */
const LAUNCHES_LOADED = 8

async function loadWallet(
  context: LoadContext,
  wallet: string,
  network: Network,
): Promise<LoadedPage['data']> {
  const { queryClient, slipway } = context
  const query = rewardsQuery(slipway, network, wallet)
  const rewards = await queryClient.fetchQuery(query)
  const launches = [...new Set(rewards.buckets.map(({ genesisAddress }) => genesisAddress))]
  const found = await Promise.all(
    launches
      .slice(0, LAUNCHES_LOADED)
      .flatMap(address => [
        loadOptional(context, launchQuery(slipway, network, address)),
        loadOptional(context, activityQuery(slipway, network, address, 'day')),
      ]),
  )
  return [[query.queryKey, rewards], ...found.flat()]
}

function Rewards() {
  const search = new URLSearchParams(useSearch())
  const wallet = search.get('q')?.trim() ?? ''
  const { networks } = useSite().settings
  useTitle('Rewards')
  const { account } = useWallet()
  const [isTyping, setTyping] = useState(false)
  const network = parseNetwork(search, networks)
  useEffect(() => {
    if (wallet) setTyping(false)
  }, [wallet])
  if (isAddress(wallet)) return <Wallet wallet={wallet} network={network} />
  const own = account && (account.networks.includes(network) ? network : account.networks[0])
  // An address that is being typed is not thrown away.
  if (account && !wallet && !isTyping) return <Wallet wallet={account.address} network={own ?? network} />
  return (
    <>
      <PageHead title="Rewards" summary="A launch can pay its creator a fee on every trade." />
      <div className={styles.ways}>
        <section>
          <h2>Your own rewards</h2>
          <p>See what your launches have earned, and claim all of it at once.</p>
          {account ? (
            <LinkButton href={rewardsHref(account.address, own ?? network, networks)}>
              Your rewards
            </LinkButton>
          ) : (
            <Button kind="primary" onClick={openWalletDialog}>
              Connect a wallet
            </Button>
          )}
        </section>
        <section>
          <h2>Any creator’s rewards</h2>
          <p>What a wallet has earned is public.</p>
          <WalletField
            key={wallet}
            first={wallet}
            network={network}
            isLarge
            onType={text => setTyping(text.trim() !== '')}
          />
        </section>
      </div>
      <dl className={styles.sources}>
        {SOURCES.map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <Earnings network={network} />
    </>
  )
}

const SOURCES = [
  [
    'Bonding curve',
    'While a launch sells along its curve, a part of every trade is put aside for its creator.',
  ],
  [
    'Liquidity pool',
    'After it has graduated, the pool keeps collecting the creator’s part until it is claimed.',
  ],
  [
    'Claiming',
    'Rewards are paid only to the wallet that earned them, even if another wallet sends the claim.',
  ],
] as const

function WalletPage({ params: { wallet } }: { params: { wallet: string } }) {
  const { networks } = useSite().settings
  return <Wallet wallet={wallet} network={parseNetwork(new URLSearchParams(useSearch()), networks)} />
}

function Wallet({ wallet, network }: { wallet: string; network: Network }) {
  useTitle(`Rewards of ${shorten(wallet)}`)
  if (!isAddress(wallet))
    return (
      <Notice level={1} title="Not a wallet" action={<Link href="/rewards">Try another</Link>}>
        A wallet’s address is 32 to 44 letters and digits.
      </Notice>
    )
  return (
    <>
      <PageHead title="Rewards">
        <WalletField key={wallet} first="" network={network} />
      </PageHead>
      <WalletRewards wallet={wallet} network={network} />
    </>
  )
}

const CURVES_SHOWN = 6

/** The curves that have raised the most: the fees of their creators grow with every trade. */
export const earningsQuery = (slipway: Slipway, network: Network) =>
  queryOptions({
    queryKey: queryKeys.earnings(network),
    queryFn: async ({ signal }) => {
      const { launches, figures } = await readLaunchPage(
        slipway,
        { network, mechanic: 'bondingCurveV2', sort: 'raised', limit: CURVES_SHOWN, figures: true },
        { signal },
      )
      const earnings = launches.flatMap(data => {
        const { genesisAddress } = data.launch
        const known = figuresOf(figures?.find(one => one.genesisAddress === genesisAddress))
        // Claimed or not.
        const fees = known?.creatorFees
        return known && fees && fees !== '0' ? [{ data, fees, known }] : []
      })
      // Amounts of different tokens can't be compared.
      return earnings
        .filter(({ known }) => known.quoteMint === earnings[0]?.known.quoteMint)
        .sort((one, other) => Number(other.fees) - Number(one.fees))
    },
    staleTime: 60_000,
  })

/** What creators have earned so far. */
export function Earnings({ network }: { network: Network }) {
  const { slipway, settings } = useSite()
  const { data: earnings } = useQuery(earningsQuery(slipway, network))
  const id = useId()
  if (!earnings || earnings.length === 0) return null
  return (
    <section className={styles.earnings} aria-labelledby={id}>
      <h2 id={id}>What the largest curves have earned for their creators</h2>
      <ul>
        {earnings.map(({ data, fees, known }) => (
          <li key={data.launch.genesisAddress}>
            <Link href={launchHref(data.launch.genesisAddress, network, settings.networks)}>
              <TokenPicture
                image={data.baseToken.image}
                name={titleOf(data)}
                address={data.launch.genesisAddress}
                size={44}
              />
              <bdi>{titleOf(data)}</bdi>
              <b>
                <Amount
                  units={fees}
                  decimals={known.quoteDecimals}
                  symbol={quoteSymbol(known.quoteMint)}
                  format={formatSaid}
                />
              </b>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

const LENGTH_MAX = 64

/** Asks for a wallet. Without script, the form brings `/rewards` back with the answer. */
export function WalletField({
  first,
  network,
  isLarge = false,
  onType = () => {},
}: {
  /** What is in it at first. */
  first: string
  network: string
  isLarge?: boolean
  onType?(text: string): void
}) {
  const { settings, basePath } = useSite()
  const [, navigate] = useLocation()
  const [text, setText] = useState(first)
  const [isRefused, setRefused] = useState(first !== '' && !isAddress(first))
  const id = useId()

  function submit(event: FormEvent) {
    event.preventDefault()
    const wallet = text.trim()
    if (isAddress(wallet)) navigate(rewardsHref(wallet, network, settings.networks))
    else setRefused(true)
  }
  return (
    <form action={`${basePath}/rewards`} onSubmit={submit} className={isLarge ? styles.large : styles.form}>
      <label htmlFor={id} className="unseen">
        Wallet address
      </label>
      <div className={styles.line}>
        <input
          id={id}
          name="q"
          value={text}
          maxLength={LENGTH_MAX}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck="false"
          placeholder={isLarge ? 'Wallet address' : 'Another wallet’s address'}
          required
          aria-invalid={isRefused}
          aria-describedby={isRefused ? `${id}-problem` : undefined}
          onChange={event => {
            setText(event.target.value)
            setRefused(false)
            onType(event.target.value)
          }}
        />
        {network !== settings.networks[0] && <input type="hidden" name="network" value={network} />}
        <Button type="submit" kind="quiet">
          Show rewards
        </Button>
      </div>
      {isRefused && (
        <p id={`${id}-problem`} role="alert" className="top-2 danger">
          This is not a wallet’s address. One has 32 to 44 letters and digits, without 0, O, I and l.
        </p>
      )}
    </form>
  )
}
