import { Field } from '../../components/fields.tsx'
import { Price } from '../../components/figures.tsx'
import { FormSection } from '../../components/form.tsx'
import { formatCount, formatNumber, formatPart, formatShare } from '../../lib/format.ts'
import { explainUnits } from '../../lib/parse-units.ts'
import { computeCurve, computeFirstBuy, computePool, nameEarner, QUOTE_DECIMALS } from './draft.ts'
import styles from './new-launch.module.css'
import { describeCreatorShare } from './preview.tsx'
import { bind, Radios, type SectionProps, useEver } from './sections.tsx'

/** How many tokens, for how much. */
export function NumbersSection(section: SectionProps) {
  return (
    <FormSection title="Terms">
      <div className={styles.fields}>
        {section.draft.mechanic === 'bondingCurve' ? <Curve {...section} /> : <Pool {...section} />}
      </div>
    </FormSection>
  )
}

function Curve(section: SectionProps) {
  const numbers = computeCurve(section.draft)
  const firstBuy = computeFirstBuy(section.draft)
  return (
    <>
      <Field
        {...bind(section, 'raise')}
        label="Raises"
        inputMode="decimal"
        suffix={describeSol(section.draft.raise)}
        hint="The SOL paid in once every token is sold. All of it goes into the liquidity pool."
      />
      <Field
        {...bind(section, 'firstBuy')}
        label="Your first buy"
        inputMode="decimal"
        isOptional
        suffix={describeSol(section.draft.firstBuy)}
        hint="You buy before anyone else can, free of fees. Paid with the last transaction."
      />
      {numbers && firstBuy && (
        <p className={styles.gets} role="status">
          You get about{' '}
          <b>
            {formatNumber(firstBuy.tokens)} {section.draft.symbol.trim() || 'tokens'}
          </b>
          , {formatShare(firstBuy.tokens / numbers.supply)} of the supply. After that, a token costs{' '}
          <Price price={firstBuy.nextPrice} symbol="SOL" />.
        </p>
      )}
      <Supply {...section} />
      {numbers && (
        <>
          <SupplySplit
            parts={[
              { name: 'For sale on the curve', tokens: numbers.forSale },
              { name: 'Liquidity pool, locked for good', tokens: numbers.liquidity },
            ]}
          />
          <p className={styles.note}>
            The first token costs{' '}
            <b>
              <Price price={numbers.firstPrice} symbol="SOL" />
            </b>
            , the last{' '}
            <b>
              <Price price={numbers.lastPrice} symbol="SOL" />
            </b>
            . The pool opens at that price. {nameEarner(section.draft)} earns the creator’s fee of every
            trade. The program sets the fees, which traders see on the launch’s page.
          </p>
        </>
      )}
    </>
  )
}

function Pool(section: SectionProps) {
  const { draft } = section
  const numbers = computePool(draft)
  const share = describeCreatorShare(draft)
  return (
    <>
      <Field
        {...bind(section, 'goal')}
        label="Goal"
        inputMode="decimal"
        suffix={describeSol(draft.goal)}
        hint="If deposits stay below this, everyone gets a refund."
      />
      <div className={styles.pair}>
        <Field
          {...bind(section, 'poolShare')}
          label="For depositors"
          inputMode="decimal"
          suffix="% of the supply"
          hint="Shared in proportion to deposits."
        />
        <Field
          {...bind(section, 'liquidityShare')}
          label="Liquidity"
          inputMode="decimal"
          suffix="% of the deposits"
          hint={`Goes into the liquidity pool. ${nameEarner(draft)} gets the rest.`}
        />
      </div>
      <Radios
        {...section}
        name="lock"
        legend="The liquidity is locked"
        choices={{ forever: 'for good', year: 'for a year, released each quarter' }}
      />
      <Supply {...section} />
      {numbers && numbers.forCreator >= 0 && (
        <>
          <SupplySplit
            parts={[
              { name: 'Depositors', tokens: numbers.forDepositors },
              { name: 'Liquidity pool', tokens: numbers.liquidity },
              { name: `${nameEarner(draft)}, after graduation`, tokens: numbers.forCreator },
            ]}
          />
          <p className={styles.note}>
            At the goal, a token costs{' '}
            <b>
              <Price price={numbers.goal / numbers.forDepositors} symbol="SOL" />
            </b>
            , and the liquidity pool opens at that price.
          </p>
          {share && (
            <p className={styles.warning} role="status">
              <b>Buyers see this before they deposit:</b> {share}
            </p>
          )}
        </>
      )}
    </>
  )
}

/** The unit, and the number if it was typed in an unusual way. */
const describeSol = (text: string) => `${explainUnits(text, QUOTE_DECIMALS)} SOL`.trim()

function Supply(section: SectionProps) {
  const wasWrong = useEver(section.faults.supply !== undefined)
  return (
    <details className={styles.more} open={wasWrong || undefined}>
      <summary className="reach">Supply: {section.draft.supply} tokens</summary>
      <Field
        {...bind(section, 'supply')}
        label="Supply"
        inputMode="numeric"
        suffix="tokens"
        hint={`Whole tokens, all created at the start; no more can be made. A token has six decimals. Paid in SOL.`}
      />
    </details>
  )
}

/** Where the supply goes: a bar, and the numbers. */
function SupplySplit({ parts }: { parts: { name: string; tokens: number }[] }) {
  const shown = parts.filter(({ tokens }) => tokens > 0)
  const total = shown.reduce((sum, { tokens }) => sum + tokens, 0)
  let from = 0
  return (
    <div className={styles.split}>
      <svg width="100%" height="10" aria-hidden="true">
        {shown.map(({ name, tokens }, at) => {
          const x = from
          from += tokens / total
          return (
            <rect
              key={name}
              x={`${(x * 100).toFixed(2)}%`}
              width={`${((tokens / total) * 100).toFixed(2)}%`}
              height="10"
              className={styles[`part${at}`]}
            />
          )
        })}
      </svg>
      <ul>
        {shown.map(({ name, tokens }, at) => (
          <li key={name}>
            <span className={`${styles.mark} ${styles[`part${at}`]}`} />
            <span>{name}</span>
            <span className={styles.tokens}>{formatCount(Math.round(tokens))}</span>
            <span className={styles.share}>{formatPart(tokens / total)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
