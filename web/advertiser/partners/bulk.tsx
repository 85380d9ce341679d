import { useState } from "preact/hooks"
import { useStep } from "../../answers"
import type { Answer, Input } from "../../client"
import { Dialog } from "../../parts/dialog"
import { Form } from "../../parts/form"
import { Trouble } from "../../parts/states"
import type { Selection } from "../../parts/table"
import { useProgramId } from "../../session"
import { words } from "../../words/en/partners"

type Body = NonNullable<Input<"bulkUpdatePartners">["body"]>
type Rows = Answer<"bulkUpdatePartners">["data"]

/** What can be done with the selected partners, and afterwards what became of each. */
export function BulkBar({
  selection,
  groups,
  nameOf,
  onDone,
}: {
  selection: Selection
  groups: [string, string][]
  nameOf(id: number): string
  onDone(): void
}) {
  const id = useProgramId()!
  const [isRemoving, setRemoving] = useState(false)
  const [results, setResults] = useState<{ rows: Rows; names: Map<number, string> } | null>(null)
  const { take, error, isBusy } = useStep("bulkUpdatePartners", {
    isRepeatable: true,
    onDone: ({ data: rows }) => {
      setResults({ rows, names: new Map(rows.map(({ id }) => [id, nameOf(id)])) })
      setRemoving(false)
      onDone()
    },
  })
  const ids = [...selection.ids]
  const step = (change: Omit<Body, "ids">) => take({ params: { id }, body: { ...change, ids } })
  const button = (action: "approve" | "suspend") => (
    <button type="button" disabled={isBusy} onClick={() => step({ action })}>
      {words[action](ids.length)}
    </button>
  )

  return (
    <>
      {ids.length > 0 && (
        <fieldset class="card selection">
          <legend>{words.selected(ids.length)}</legend>
          {button("approve")}
          {button("suspend")}
          <button type="button" class="danger" disabled={isBusy} onClick={() => setRemoving(true)}>
            {words.remove(ids.length)}
          </button>
          {groups.length > 1 && (
            <select
              aria-label={words.move(ids.length)}
              disabled={isBusy}
              onChange={({ currentTarget: { value } }) =>
                value && step({ action: "move", group_id: +value })
              }
            >
              <option value="">{`${words.move(ids.length)} ${words.moveAny}`}</option>
              {groups.map(([group_id, name]) => (
                <option key={group_id} value={group_id}>
                  {name}
                </option>
              ))}
            </select>
          )}
          {!isRemoving && <Trouble error={error} isWrite />}
        </fieldset>
      )}
      {isRemoving && (
        <Dialog title={words.removeTitle(ids.length)} onClose={() => setRemoving(false)}>
          <Form
            action={words.removeDo(ids.length)}
            error={error}
            isBusy={isBusy}
            isDangerous
            onSubmit={() => step({ action: "remove" })}
          >
            <p>{words.removeText}</p>
          </Form>
        </Dialog>
      )}
      {results && <Results {...results} onClose={() => setResults(null)} />}
    </>
  )
}

/** A refused row leaves the others done: both are said, the refused ones by name. */
function Results({
  rows,
  names,
  onClose,
}: {
  rows: Rows
  names: Map<number, string>
  onClose(): void
}) {
  const failed = rows.filter(({ ok }) => !ok)
  return (
    <section class="card" role="status" aria-label={words.results}>
      <p>{words.done(rows.length - failed.length)}</p>
      {failed.length > 0 && (
        <>
          <p>{words.failed(failed.length)}</p>
          <ul>
            {failed.map(({ id, error }) => (
              <li key={id}>
                <b>{names.get(id)}</b>: {error}
              </li>
            ))}
          </ul>
        </>
      )}
      <button type="button" class="plain" onClick={onClose}>
        {words.dismiss}
      </button>
    </section>
  )
}
