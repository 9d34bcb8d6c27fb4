/**
 * The amounts that a creator can claim, by launch, in lamports. A curve has as many left as its last trade accrued,
 * or none; what accrued before has been claimed. `pool` is not yet collected from the pool.
 */
type RewardEntry = {
  readonly slug: string
  readonly note: string
  readonly sources: readonly {
    readonly launch: string
    readonly curve?: { readonly unclaimed: bigint }
    readonly amm?: { readonly accrued: bigint; readonly claimed: bigint; readonly pool: bigint }
  }[]
}

export const rewardCatalogue: readonly RewardEntry[] = [
  {
    slug: 'one-bucket',
    note: 'one curve with something to claim',
    sources: [{ launch: 'dovetail', curve: { unclaimed: 420_000_000n } }],
  },
  {
    slug: 'two-buckets',
    note: "a curve and its pool, the pool's fees already collected",
    sources: [
      {
        launch: 'harbour-cat',
        curve: { unclaimed: 300_000_000n },
        amm: { accrued: 1_340_000_000n, claimed: 0n, pool: 0n },
      },
    ],
  },
  {
    slug: 'five-buckets',
    note: 'three curves and two pools, both with uncollected fees',
    sources: [
      {
        launch: 'driftwood',
        curve: { unclaimed: 240_000_000n },
        amm: { accrued: 310_000_000n, claimed: 110_000_000n, pool: 735_000_000n },
      },
      {
        launch: 'copper-kite',
        curve: { unclaimed: 55_000_000n },
        amm: { accrued: 0n, claimed: 0n, pool: 1_800_000_000n },
      },
      { launch: 'pocket-owl', curve: { unclaimed: 30_000_000n } },
    ],
  },
  {
    slug: 'nothing-left',
    note: 'everything has been claimed',
    sources: [
      {
        launch: 'moss',
        curve: { unclaimed: 0n },
        amm: { accrued: 5n, claimed: 5n, pool: 0n },
      },
    ],
  },
]
