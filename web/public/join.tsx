import type { ComponentChildren } from "preact"
import { words } from "../words/en/join"
import { PublicPage } from "./page"

/** What the page of a program shows. Amounts are texts with the decimals of the books. */
export type JoinView = {
  name: string
  website_url: string | null
  isPaused: boolean
  rate: string
  /** The rate worked out: what a sale of this amount earns. Null: every sale earns the same. */
  example: { sale: string; commission: string } | null
  hasProductRates: boolean
  duration_months: number | null
  window_days: number
  hold_days: number
  auto_approve: boolean
  terms: { version: number; text: string } | null
  branding: { color: string | null; welcome: string | null; logo: string | null }
}

/** The public page of a program: what partners earn, how, and under which terms. */
export function Join({ program }: { program: JoinView }) {
  const { name, website_url, isPaused, terms, branding } = program
  return (
    <PublicPage title={name}>
      {branding.color && <Strip color={branding.color} />}
      {branding.logo && <img class="join-logo" src={branding.logo} alt="" />}
      {branding.welcome && <p class="long-text">{branding.welcome}</p>}
      {isPaused && <p class="notice">{words.paused}</p>}
      <dl class="card join-facts">
        <Earning program={program} />
        {website_url && (
          <Fact name={words.site}>
            <a href={website_url} rel="noopener noreferrer nofollow">
              {website_url}
            </a>
          </Fact>
        )}
      </dl>
      {terms && (
        <details class="card">
          <summary>{words.terms(terms.version)}</summary>
          <p class="long-text">{terms.text}</p>
        </details>
      )}
      <section class="stack">
        <h2>{words.join}</h2>
        <p>{words.invited}</p>
        <p>
          <a class="button" href="/sign-in">
            {words.signIn}
          </a>
        </p>
      </section>
    </PublicPage>
  )
}

/** The program's color, as an attribute of a picture: the policy forbids styles. */
const Strip = ({ color }: { color: string }) => (
  <svg class="join-strip" width="100%" height="6" aria-hidden="true">
    <rect width="100%" height="6" rx="3" fill={color} />
  </svg>
)

function Earning({ program }: { program: JoinView }) {
  const { rate, example, hasProductRates, duration_months, window_days, hold_days } = program
  const hold = hold_days === 0 ? words.noHold : words.waits(words.days(hold_days))
  return (
    <>
      <Fact name={words.pays}>
        {example ? (
          <>
            <strong>{words.sentence(rate)}</strong>{" "}
            {words.example(example.sale, example.commission)}
          </>
        ) : (
          words.fixed(rate)
        )}{" "}
        {hasProductRates && words.products}
      </Fact>
      <Fact name={words.renewals}>{words.renewal(duration_months)}</Fact>
      <Fact name={words.window}>{words.clicks(words.days(window_days))}</Fact>
      <Fact name={words.hold}>{hold}</Fact>
      <Fact name={words.approval}>{program.auto_approve ? words.approved : words.byHand}</Fact>
    </>
  )
}

const Fact = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

/** There is no published program at this address. */
export function NoProgram() {
  return (
    <PublicPage title={words.notFound}>
      <p>{words.notFoundText}</p>
    </PublicPage>
  )
}
