import { useState } from "preact/hooks"
import type { Scope } from "../../../services/identity/contract"
import { useAnswer, useStep } from "../../answers"
import { Checks } from "../../parts/checks"
import { Copyable } from "../../parts/copy"
import { Dialog } from "../../parts/dialog"
import { Field } from "../../parts/field"
import { Form } from "../../parts/form"
import { words } from "../../words/en/keys"

const SCOPES = Object.entries(words.sentences) as [Scope, string][]

/** Makes a key, and shows it once. */
export function CreateKey({ workspace_id, onClose }: { workspace_id: number; onClose(): void }) {
  const [scopes, setScopes] = useState<ReadonlySet<string>>(new Set(["program:read"]))
  const [programs, setPrograms] = useState<ReadonlySet<string>>(new Set())
  const create = useStep("createKey")
  const listed = useAnswer("listPrograms", { workspace: workspace_id, query: { pageSize: 100 } })
  const created = create.answer?.data
  if (created) {
    return (
      <Dialog title={words.secretTitle} onClose={onClose}>
        <p>{words.secretText}</p>
        <Copyable text={created.key} label={words.secret} />
        <div class="actions">
          <button type="button" class="primary" onClick={onClose}>
            {words.secretDone}
          </button>
        </div>
      </Dialog>
    )
  }
  const make = ({ name = "", expires }: Record<string, string>) =>
    create.take({
      workspace: workspace_id,
      body: {
        name,
        scopes: [...scopes] as Scope[],
        program_scope: programs.size > 0 ? [...programs] : null,
        expires_at: expires ? `${expires}T00:00:00Z` : null,
      },
    })
  const options = (listed.data?.data ?? []).map(({ id, name }): [string, string] => [`${id}`, name])
  return (
    <Dialog title={words.createTitle} onClose={onClose}>
      <Form action={words.submit} error={create.error} isBusy={create.isBusy} onSubmit={make}>
        <Field name="name" label={words.name} hint={words.nameHint} autoComplete="off" />
        <Checks legend={words.scopes} options={SCOPES} chosen={scopes} onChange={setScopes} />
        <Checks
          legend={words.limited}
          hint={words.limitedHint}
          options={options}
          chosen={programs}
          onChange={setPrograms}
        />
        <Field
          name="expires"
          type="date"
          label={words.expires}
          hint={words.expiresHint}
          isOptional
        />
      </Form>
    </Dialog>
  )
}
