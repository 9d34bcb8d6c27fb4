/** The amounts that a creator can claim, by launch, in lamports. `pool` is not yet collected from the pool. */
type RewardEntry = {
  readonly slug: string
  readonly note: string
  readonly sources: readonly {
    readonly launch: string
    readonly curve?: { readonly accrued: bigint; readonly claimed: bigint }
    readonly amm?: { readonly accrued: bigint; readonly claimed: bigint; readonly pool: bigint }
  }[]
}

export const rewardCatalogue: readonly RewardEntry[] = [
  {
    slug: 'one-bucket',
    note: 'one curve with something to claim',
    sources: [{ launch: 'dovetail', curve: { accrued: 420_000_000n, claimed: 0n } }],
  },
  {
    slug: 'two-buckets',
    note: "a curve and its pool, the pool's fees already collected",
    sources: [
      {
        launch: 'harbour-cat',
        curve: { accrued: 1_250_000_000n, claimed: 250_000_000n },
        amm: { accrued: 640_000_000n, claimed: 0n, pool: 0n },
      },
    ],
  },
  {
    slug: 'five-buckets',
    note: 'three curves and two pools, both with uncollected fees',
    sources: [
      {
        launch: 'driftwood',
        curve: { accrued: 900_000_000n, claimed: 0n },
        amm: { accrued: 310_000_000n, claimed: 110_000_000n, pool: 75_000_000n },
      },
      {
        launch: 'copper-kite',
        curve: { accrued: 55_000_000n, claimed: 0n },
        amm: { accrued: 0n, claimed: 0n, pool: 1_800_000_000n },
      },
      { launch: 'pocket-owl', curve: { accrued: 33_000_000n, claimed: 3_000_000n } },
    ],
  },
  {
    slug: 'nothing-left',
    note: 'everything has been claimed',
    sources: [
      {
        launch: 'moss',
        curve: { accrued: 88_000_000n, claimed: 88_000_000n },
        amm: { accrued: 5n, claimed: 5n, pool: 0n },
      },
    ],
  },
]
