import { useState } from "preact/hooks"
import { useAddress } from "../../address"
import { useAnswer, useStep } from "../../answers"
import { announce } from "../../frame/toasts"
import { Dialog } from "../../parts/dialog"
import { Field, Select } from "../../parts/field"
import { Form } from "../../parts/form"
import { useProgramId } from "../../session"
import { words } from "../../words/en/links"

/** Creates a link of a partner, who is found by what is typed. */
export function CreateLink({ onClose }: { onClose(): void }) {
  const id = useProgramId()!
  const { query } = useAddress()
  const [search, setSearch] = useState("")
  const found = useAnswer("listPartners", {
    params: { id },
    query: { search, status: "approved", sort: "name", pageSize: 50 },
  })
  const partners = found.data?.data ?? []
  const { take, error, isBusy } = useStep("createLink", {
    onDone: ({ data }) => {
      announce(words.created(data.code))
      onClose()
    },
  })
  const submit = ({ partner_id, code, destination_url }: Record<string, string>) =>
    take({
      params: { id },
      body: {
        partner_id: Number(partner_id),
        ...(code && { code }),
        ...(destination_url && { destination_url }),
      },
    })
  return (
    <Dialog title={words.create} onClose={onClose}>
      <Form action={words.create} error={error} isBusy={isBusy} onSubmit={submit}>
        <Field
          name="find"
          type="search"
          label={words.findPartner}
          isOptional
          onInput={({ currentTarget }) => setSearch(currentTarget.value.trim())}
        />
        <Select
          name="partner_id"
          label={words.choosePartner}
          hint={found.data && partners.length === 0 ? words.noPartner : undefined}
          value={query.partner_id}
          options={partners.map(({ partner_id, name, email }) => [
            `${partner_id}`,
            `${name}, ${email}`,
          ])}
        />
        <Field
          name="code"
          label={words.code}
          hint={words.codeHint}
          pattern="[A-Za-z0-9_\-]{3,64}"
          isOptional
        />
        <Field
          name="destination_url"
          type="url"
          label={words.target}
          hint={words.targetHint}
          isOptional
        />
      </Form>
    </Dialog>
  )
}
