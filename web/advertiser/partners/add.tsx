import { useAddress } from "../../address"
import { useStep } from "../../answers"
import { announce } from "../../frame/toasts"
import { Dialog } from "../../parts/dialog"
import { Field, Select } from "../../parts/field"
import { Form } from "../../parts/form"
import { useProgramId } from "../../session"
import { words } from "../../words/en/partners"

/** Adds a partner, whose screen follows. */
export function AddPartner({ groups, onClose }: { groups: [string, string][]; onClose(): void }) {
  const id = useProgramId()!
  const { go } = useAddress()
  const { take, error, isBusy } = useStep("createPartner", {
    onDone: ({ data }) => {
      announce(words.added(data.name))
      go(`/programs/${id}/partners/${data.partner_id}`)
    },
  })
  const submit = ({ name = "", email = "", code, group_id }: Record<string, string>) =>
    take({
      params: { id },
      body: { name, email, ...(code && { code }), ...(group_id && { group_id: +group_id }) },
    })
  return (
    <Dialog title={words.add} onClose={onClose}>
      <Form action={words.add} error={error} isBusy={isBusy} onSubmit={submit}>
        <Field name="name" label={words.addName} hint={words.addNameHint} maxLength={255} />
        <Field name="email" label={words.email} type="email" maxLength={320} />
        <Field
          name="code"
          label={words.code}
          hint={words.codeHint}
          pattern="[A-Za-z0-9_\-]{3,64}"
          isOptional
        />
        <Select name="group_id" label={words.group} options={groups} />
      </Form>
    </Dialog>
  )
}
