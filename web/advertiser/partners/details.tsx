import { useState } from "preact/hooks"
import { useStep } from "../../answers"
import { announce } from "../../frame/toasts"
import { Dialog } from "../../parts/dialog"
import { Field, Select } from "../../parts/field"
import { Form } from "../../parts/form"
import { Status } from "../../parts/status"
import { dateText } from "../../parts/when"
import { useMay, useProgramId } from "../../session"
import { words } from "../../words/en/one-partner"
import { words as listWords } from "../../words/en/partners"
import { useGroupNames } from "./group-names"
import { type Partner, TONES } from "./partner-status"

/** What the advertiser wrote about a partner, the group and the account. */
export function PartnerDetails({ partner }: { partner: Partner }) {
  const may = useMay()
  const groups = useGroupNames(useProgramId()!)
  const group = groups.find(([id]) => id === `${partner.group_id}`)?.[1] ?? "–"
  return (
    <section class="card">
      <h2>{words.details}</h2>
      <dl class="facts">
        <Fact name={words.status}>
          <Status tone={TONES[partner.status]} text={listWords.statuses[partner.status]} />
        </Fact>
        <Fact name={words.since}>{dateText(partner.created_at)}</Fact>
        <Fact name={words.account}>
          {words.accounts[partner.account]}{" "}
          {partner.account === "bound" && may("program:update") && <Unbind partner={partner} />}
        </Fact>
        {!may("program:update") && (
          <>
            <Fact name={words.email}>{partner.email}</Fact>
            <Fact name={words.group}>{group}</Fact>
            <Fact name={words.note}>{partner.note ?? "–"}</Fact>
          </>
        )}
      </dl>
      {may("program:update") && groups.length > 0 && <Edit partner={partner} groups={groups} />}
    </section>
  )
}

const Fact = ({ name, children }: { name: string; children: preact.ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

function Edit({ partner, groups }: { partner: Partner; groups: [string, string][] }) {
  const id = useProgramId()!
  const { take, error, isBusy } = useStep("updatePartner", {
    isRepeatable: true,
    onDone: () => announce(words.saved),
  })
  const submit = ({ name, email, note = "", group_id }: Record<string, string>) =>
    take({
      params: { id, partnerId: partner.partner_id },
      body: { name, email, note: note || null, group_id: Number(group_id) },
    })
  return (
    <Form action={words.save} error={error} isBusy={isBusy} onSubmit={submit}>
      <p class="quiet-text">{words.changedAt}</p>
      <Field name="name" label={words.name} value={partner.name} maxLength={255} />
      <Field
        name="email"
        type="email"
        label={words.email}
        hint={words.emailHint}
        value={partner.email}
        maxLength={320}
      />
      <Select
        name="group_id"
        label={words.group}
        hint={words.groupHint}
        value={`${partner.group_id}`}
        options={groups}
      />
      <Field
        name="note"
        label={words.note}
        hint={words.noteHint}
        value={partner.note}
        rows={3}
        maxLength={2_000}
        isOptional
      />
    </Form>
  )
}

function Unbind({ partner }: { partner: Partner }) {
  const id = useProgramId()!
  const [isAsking, setAsking] = useState(false)
  const { take, error, isBusy } = useStep("unbindPartnerAccount", {
    onDone: () => setAsking(false),
  })
  return (
    <>
      <button type="button" class="plain" onClick={() => setAsking(true)}>
        {words.unbind}
      </button>
      {isAsking && (
        <Dialog title={words.unbindTitle} onClose={() => setAsking(false)}>
          <Form
            action={words.unbindDo}
            error={error}
            isBusy={isBusy}
            isDangerous
            onSubmit={() => take({ params: { id, partnerId: partner.partner_id } })}
          >
            <p>{words.unbindText}</p>
          </Form>
        </Dialog>
      )}
    </>
  )
}
