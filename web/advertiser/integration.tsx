import { useAnswer } from "../answers"
import type { Answer } from "../client"
import { Code } from "../parts/code"
import { Screen } from "../parts/screen"
import { Loaded } from "../parts/states"
import { Status } from "../parts/status"
import { usePollInterval } from "../poll"
import { useMay, useProgramId } from "../session"
import { words } from "../words/en/integration"
import { isDone, STEPS, type StepName } from "./integration-steps"
import { OtherCurrencyLink } from "./other-currency"
import { RefusedCalls } from "./refused-call"
import { scriptOf } from "./snippets"
import { TestConsole } from "./test-console"
import { TrackingToken } from "./tracking-token"

/** How a site is connected: steps, script, token, test console and what was refused. */
export default function Integration() {
  const programId = useProgramId()!
  const may = useMay()
  return (
    <Screen name="advertiser/integration">
      <Steps programId={programId} />
      <section class="card">
        <h2>{words.script}</h2>
        <p>{words.scriptText}</p>
        <Code text={scriptOf(programId)} label={words.scriptLabel} />
      </section>
      {may("program:regenerate-token") && <TrackingToken programId={programId} />}
      <TestConsole programId={programId} />
      <Refused programId={programId} />
    </Screen>
  )
}

function Steps({ programId }: { programId: number }) {
  const poll = { poll_ms: usePollInterval() }
  const status = useAnswer("showStatus", { params: { programId } }, poll)
  const shown = status.data?.data
  return (
    <section class="card">
      <h2>{words.steps}</h2>
      <Loaded from={status}>
        <dl class="facts">
          {STEPS.map(step => {
            const hasArrived = shown !== undefined && isDone(shown, step)
            const tests = shown?.statistics[step].testEventCount ?? 0
            return (
              <div key={step}>
                <dt>{words.stepNames[step]}</dt>
                <dd>
                  <Status
                    tone={hasArrived ? "good" : "plain"}
                    text={hasArrived ? words.complete : pendingText(shown, step)}
                  />
                  {tests > 0 && <span class="quiet-text"> · {words.tests(tests)}</span>}
                </dd>
              </div>
            )
          })}
        </dl>
        {shown?.hints.map(({ code, message }) => (
          <p key={code}>
            {message} {code === "other_currency" && <OtherCurrencyLink programId={programId} />}
          </p>
        ))}
      </Loaded>
      <p>
        <a href={`/programs/${programId}/first-run`}>{words.firstRun}</a>
      </p>
    </section>
  )
}

/** A step that has events, but none as sales need it, says so. The hint says what to do. */
const pendingText = (shown: Answer<"showStatus">["data"] | undefined, step: StepName) =>
  shown?.stepStatuses[step] === "complete" ? words.withoutKey : words.pending

function Refused({ programId }: { programId: number }) {
  const input = { params: { id: programId }, query: { status: "refused" } }
  const calls = useAnswer("listTrackingCalls", input, { poll_ms: usePollInterval() })
  const refused = calls.data?.data ?? []
  return (
    <section class="card" id="refused">
      <h2>{words.refused}</h2>
      <Loaded from={calls}>
        {refused.length === 0 ? (
          <p class="quiet-text">{words.refusedNone}</p>
        ) : (
          <RefusedCalls calls={refused} programId={programId} />
        )}
      </Loaded>
    </section>
  )
}
