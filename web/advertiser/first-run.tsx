import type { ComponentChildren } from "preact"
import { useAnswer } from "../answers"
import { Code } from "../parts/code"
import { Copyable } from "../parts/copy"
import { Screen } from "../parts/screen"
import { Loaded } from "../parts/states"
import { Status } from "../parts/status"
import { useProgram, useProgramId } from "../session"
import { words } from "../words/en/first-run"
import { isDone, STEPS, type StepName } from "./integration-steps"
import { knownToken } from "./known-token"
import { RefusedCalls } from "./refused-call"
import { LEAD_CALL, saleCallOf, scriptOf } from "./snippets"

const POLL_MS = 2_000

/** Waits for the first real click, lead and sale of a program, and shows what was refused. */
export default function FirstRun() {
  const programId = useProgramId()!
  return (
    <Screen name="advertiser/first-run">
      <Arrivals programId={programId} />
    </Screen>
  )
}

function Arrivals({ programId }: { programId: number }) {
  const program = useProgram()
  const token = knownToken(programId)
  const status = useAnswer("showStatus", { params: { programId } }, { poll_ms: POLL_MS })
  const hasArrived = (step: StepName) => status.data !== undefined && isDone(status.data.data, step)
  const count = STEPS.filter(hasArrived).length
  const withoutKey = status.data?.data.hints.find(({ code }) => code === "leads_without_key")
  const refused = useAnswer(
    "listTrackingCalls",
    { params: { id: programId }, query: { status: "refused" } },
    { poll_ms: POLL_MS, isEnabled: count < STEPS.length },
  ).data?.data
  const link = useAnswer("listLinks", { params: { id: programId }, query: { pageSize: 1 } }).data
    ?.data[0]
  return (
    <>
      <Loaded from={status}>
        {count === STEPS.length ? (
          <Done programId={programId} />
        ) : (
          <p role="status">{words.of(count)}</p>
        )}
        <ol class="stack">
          <Step name="pageview" isDone={hasArrived("pageview")}>
            <p>{words.click}</p>
            <Code text={scriptOf(programId)} label={words.script} />
            {link?.url ? (
              <Copyable text={link.url} label={words.yourLink} />
            ) : (
              <p>
                {words.noLink} <a href={`/programs/${programId}/partners`}>{words.makeLink}</a>
              </p>
            )}
          </Step>
          <Step name="referrals" isDone={hasArrived("referrals")}>
            {withoutKey && <p class="bad-text">{withoutKey.message}</p>}
            <p>{words.lead}</p>
            <Code text={LEAD_CALL} label={words.leadCall} />
          </Step>
          <Step name="payments" isDone={hasArrived("payments")}>
            <p>{words.sale}</p>
            <Code text={saleCallOf(token ?? undefined, program?.currency)} label={words.saleCall} />
            {token ? (
              <>
                <Copyable text={token} label={words.token} />
                <p class="quiet-text">{words.tokenOnce}</p>
              </>
            ) : (
              <p class="quiet-text">{words.tokenMasked(program?.api_token_masked ?? "…")}</p>
            )}
          </Step>
        </ol>
      </Loaded>
      {refused && refused.length > 0 && count < STEPS.length && (
        <section class="card">
          <h2>{words.refused}</h2>
          <RefusedCalls calls={refused} programId={programId} />
        </section>
      )}
    </>
  )
}

/** A step, with its instructions folded once it has arrived. */
function Step({
  name,
  isDone,
  children,
}: {
  name: StepName
  isDone: boolean
  children: ComponentChildren
}) {
  return (
    <li class="card" data-step={name} data-done={isDone}>
      <header class="screen-head">
        <h2>{words.steps[name]}</h2>
        <Status tone={isDone ? "good" : "plain"} text={isDone ? words.arrived : words.waiting} />
      </header>
      {isDone ? (
        <details>
          <summary>{words.instructions}</summary>
          {children}
        </details>
      ) : (
        children
      )}
    </li>
  )
}

function Done({ programId }: { programId: number }) {
  return (
    <div class="card" role="status">
      <h2>{words.done}</h2>
      <p>{words.doneText}</p>
      <div class="actions">
        <a class="button primary" href={`/programs/${programId}`}>
          {words.overview}
        </a>
      </div>
    </div>
  )
}
