import { useState } from "preact/hooks"
import { useAddress } from "../address"
import { useAnswer, useStep } from "../answers"
import type { Answer } from "../client"
import { announce } from "../frame/toasts"
import { Dialog } from "../parts/dialog"
import { Field } from "../parts/field"
import { Form } from "../parts/form"
import { Screen } from "../parts/screen"
import { Loaded } from "../parts/states"
import { type Column, Pages, Table } from "../parts/table"
import { dateText } from "../parts/when"
import { useMay, useProgram, useProgramId } from "../session"
import { words } from "../words/en/groups"
import { PolicyFields, policyOf } from "./groups/policy-fields"
import { approvalText, priceText, renewalsText } from "./groups/terms"

type Group = Answer<"listGroups">["data"][number]

const columnsOf = (program_id: number, currency: string): Column<Group>[] => [
  {
    name: "name",
    head: words.name,
    cell: ({ id, name }) => <a href={`/programs/${program_id}/groups/${id}`}>{name}</a>,
  },
  { name: "earns", head: words.earns, cell: ({ policy }) => priceText(policy, currency) },
  {
    name: "renewals",
    head: words.renewals,
    cell: ({ policy }) => renewalsText(policy.duration_months),
  },
  { name: "hold", head: words.hold, cell: ({ policy }) => words.days(policy.hold_days) },
  {
    name: "approval",
    head: words.approval,
    cell: ({ policy }) => approvalText(policy.auto_approve),
  },
  { name: "since", head: words.since, cell: ({ policy }) => dateText(policy.effective_from) },
]

/** The groups of a program, with the newest version of their policies. */
export default function Groups() {
  const { query } = useAddress()
  const may = useMay()
  const id = useProgramId()!
  const currency = useProgram()?.currency
  const [isCreating, setCreating] = useState(false)
  const groups = useAnswer("listGroups", {
    params: { id },
    query: { page: query.page, pageSize: 50 },
  })
  const create = may("program:update") && currency && (
    <button type="button" class="primary" onClick={() => setCreating(true)}>
      {words.create}
    </button>
  )
  return (
    <Screen name="advertiser/groups" actions={create}>
      {isCreating && currency && (
        <CreateGroup currency={currency} onClose={() => setCreating(false)} />
      )}
      <Loaded from={groups}>
        {currency && (
          <Table
            caption={words.caption}
            isTitled
            columns={columnsOf(id, currency)}
            rows={groups.data?.data ?? []}
            isStale={groups.isPlaceholderData}
          />
        )}
        {groups.data && <Pages meta={groups.data.meta} />}
      </Loaded>
    </Screen>
  )
}

function CreateGroup({ currency, onClose }: { currency: string; onClose(): void }) {
  const id = useProgramId()!
  const { go } = useAddress()
  const [wrong, setWrong] = useState<Error | null>(null)
  const { take, error, isBusy } = useStep("createGroup", {
    onDone: ({ data }) => {
      announce(words.created(data.name))
      go(`/programs/${id}/groups/${data.id}`)
    },
  })
  const submit = (fields: Record<string, string>) => {
    try {
      setWrong(null)
      const policy = policyOf(fields, currency)
      take({ params: { id }, body: { name: fields.name ?? "", policy } })
    } catch (error) {
      setWrong(error as Error)
    }
  }
  return (
    <Dialog title={words.create} onClose={onClose}>
      <Form action={words.create} error={wrong ?? error} isBusy={isBusy} onSubmit={submit}>
        <Field name="name" label={words.name} hint={words.nameHint} maxLength={255} />
        <PolicyFields currency={currency} />
      </Form>
    </Dialog>
  )
}
