import { useState } from "preact/hooks"
import { useAddress } from "../address"
import { useAnswer, useStep } from "../answers"
import { announce } from "../frame/toasts"
import { Dialog } from "../parts/dialog"
import { Field } from "../parts/field"
import { Form } from "../parts/form"
import { Screen } from "../parts/screen"
import { Loaded, NotFound } from "../parts/states"
import { Pages } from "../parts/table"
import { useMay, useProgram, useProgramId } from "../session"
import { words } from "../words/en/groups"
import { PolicyFields, policyOf } from "./groups/policy-fields"
import { type Policy, periodsOf } from "./groups/terms"
import { Version } from "./groups/version"

/** One group, with its policy on a time line: what holds, what will hold, and what held. */
export default function GroupScreen() {
  const { params, query } = useAddress()
  const may = useMay()
  const id = useProgramId()!
  const groupId = params.groupId!
  const currency = useProgram()?.currency
  const [open, setOpen] = useState<"rename" | "change" | null>(null)
  const groups = useAnswer("listGroups", { params: { id }, query: { pageSize: 100 } })
  const policies = useAnswer("listPolicies", {
    params: { id, groupId },
    query: { page: query.page, pageSize: 50 },
  })
  const group = groups.data?.data.find(group => `${group.id}` === groupId)
  const versions = policies.data?.data ?? []
  const close = () => setOpen(null)
  const actions = may("program:update") && group && currency && (
    <>
      <button type="button" onClick={() => setOpen("rename")}>
        {words.rename}
      </button>
      <button type="button" class="primary" onClick={() => setOpen("change")}>
        {words.change}
      </button>
    </>
  )

  return (
    <Screen name="advertiser/group" title={group?.name} actions={actions}>
      <Loaded from={policies}>
        {groups.data && !group && <NotFound />}
        {group && currency && (
          <>
            {open === "rename" && <Rename group_id={group.id} name={group.name} onDone={close} />}
            {open === "change" && (
              <ChangePolicy
                group_id={group.id}
                policy={group.policy}
                currency={currency}
                onDone={close}
              />
            )}
            <a href={`/programs/${id}/partners?group_id=${group.id}`}>{words.partners}</a>
            <section>
              <h2>{words.versions}</h2>
              <ol class="time-line">
                {periodsOf(versions, Number(query.page ?? 1) > 1).map(period => (
                  <Version key={period.policy.version} period={period} currency={currency} />
                ))}
              </ol>
              {policies.data && <Pages meta={policies.data.meta} />}
            </section>
          </>
        )}
      </Loaded>
    </Screen>
  )
}

function Rename({ group_id, name, onDone }: { group_id: number; name: string; onDone(): void }) {
  const id = useProgramId()!
  const { take, error, isBusy } = useStep("updateGroup", {
    isRepeatable: true,
    onDone: () => {
      announce(words.renamed)
      onDone()
    },
  })
  return (
    <Dialog title={words.rename} onClose={onDone}>
      <Form
        action={words.rename}
        error={error}
        isBusy={isBusy}
        onSubmit={({ name }) => take({ params: { id, groupId: group_id }, body: { name } })}
      >
        <Field name="name" label={words.name} hint={words.nameHint} value={name} maxLength={255} />
      </Form>
    </Dialog>
  )
}

function ChangePolicy({
  group_id,
  policy,
  currency,
  onDone,
}: {
  group_id: number
  policy: Policy
  currency: string
  onDone(): void
}) {
  const id = useProgramId()!
  const [wrong, setWrong] = useState<Error | null>(null)
  const { take, error, isBusy } = useStep("updateGroup", {
    onDone: ({ data }) => {
      announce(words.changed(data.policy.version))
      onDone()
    },
  })
  const submit = (fields: Record<string, string>) => {
    try {
      setWrong(null)
      take({ params: { id, groupId: group_id }, body: { policy: policyOf(fields, currency) } })
    } catch (error) {
      setWrong(error as Error)
    }
  }
  return (
    <Dialog title={words.change} onClose={onDone}>
      <p>{words.changeText}</p>
      <Form action={words.save} error={wrong ?? error} isBusy={isBusy} onSubmit={submit}>
        <PolicyFields policy={policy} currency={currency} />
        {policy.products.length > 0 && <p class="quiet-text">{words.products}</p>}
        <Field name="from" label={words.from} hint={words.fromHint} type="date" isOptional />
      </Form>
    </Dialog>
  )
}
