import type { ComponentChildren } from "preact"
import { useEffect, useState } from "preact/hooks"
import type { Action } from "../../services/identity/contract"
import { Refusal } from "../client"
import { roles } from "../constants"
import { useMay, useMembership, useProgramAnswer, useProgramId } from "../session"
import { words } from "../words/en/states"
import { When } from "./when"

const SHOWN_AFTER_MS = 200

/** Placeholder lines, shown only if what they stand for takes longer than a moment. */
export function Busy({ lines = 3 }: { lines?: number }) {
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), SHOWN_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div class="busy" role="status" aria-label={words.busy}>
      {isShown && Array.from({ length: lines }, (_, i) => <span key={i} class="bone" />)}
    </div>
  )
}

/** What went wrong: the API's sentence, a way on, and the request id. Renders nothing without one. */
export function Trouble({
  error,
  onRetry,
  isWrite,
}: {
  error: Error | null | undefined
  onRetry?: () => void
  /** The call may have changed something although it failed. */
  isWrite?: boolean
}) {
  if (!error) return null
  const refusal = error instanceof Refusal ? error : null
  const sentence = refusal?.status === 0 ? words.noReply : error.message
  return (
    <div class="trouble" role="alert">
      <p>{sentence}</p>
      {isWrite && refusal?.isInDoubt && <p>{words.inDoubt}</p>}
      {refusal?.request_id && (
        <p class="quiet-text">
          {words.requestId} <code>{refusal.request_id}</code>
        </p>
      )}
      {onRetry && (
        <button type="button" onClick={() => onRetry()}>
          {words.retry}
        </button>
      )}
    </div>
  )
}

/** An empty list: what will stand here, and the next step as its children. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  )
}

type Answering = { data?: unknown; error: Error | null; refetch(): unknown }

/** Shows children once a read has replied; until then placeholders or what went wrong. */
export function Loaded({ from, children }: { from: Answering; children: ComponentChildren }) {
  if (from.error) return <Trouble error={from.error} onRetry={() => from.refetch()} />
  return from.data === undefined ? <Busy /> : <>{children}</>
}

/** Shows children to people who may perform the action. Members who may not learn who may. */
export function Allowed({ to, children }: { to: Action; children: ComponentChildren }) {
  const may = useMay()
  const isMember = useMembership() !== undefined
  const isOfProgram = useProgramId() !== null
  const program = useProgramAnswer()
  if (may(to)) return <>{children}</>
  if (!isMember) {
    if (program.error) return <Trouble error={program.error} onRetry={program.refetch} />
    return isOfProgram && program.isPending ? <Busy /> : <NotFound />
  }
  const names = roles[to].map(role => words.roles[role]).join(", ")
  return (
    <Empty title={words.notAllowed}>
      <p>{words.whoMay(names)}</p>
    </Empty>
  )
}

/** Says up to when a report counts, if it does not include everything yet. */
export function Freshness({ until }: { until: string | undefined }) {
  if (!until) return null
  return (
    <p class="quiet-text" role="status">
      <When time={until} as={words.countedUntil} />
    </p>
  )
}

/** At an address that no screen has. */
export function NotFound() {
  return (
    <Plain title={words.notFound}>
      <p>{words.notFoundText}</p>
      <p>
        <a href="/">{words.home}</a>
      </p>
    </Plain>
  )
}

/** In place of a screen whose script did not come, although the page was loaded again. */
export function NotLoaded() {
  return (
    <Plain title={words.notLoaded}>
      <p>{words.notLoadedText}</p>
      <p>
        <button type="button" onClick={() => location.reload()}>
          {words.retry}
        </button>
      </p>
    </Plain>
  )
}

const Plain = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <article class="empty">
    <h1>{title}</h1>
    {children}
  </article>
)
