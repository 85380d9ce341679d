import { useEffect } from "preact/hooks"
import { useAddress } from "../address"
import { useAnswer, useStep } from "../answers"
import type { Answer } from "../client"
import { announce } from "../frame/toasts"
import { Field, Select } from "../parts/field"
import { Form } from "../parts/form"
import { Screen } from "../parts/screen"
import { Empty, Loaded } from "../parts/states"
import { words } from "../words/en/program-settings"
import { ProgramState } from "./settings/program-state"

export type Program = Answer<"showProgram">["data"]

/** The settings of a program. Each says from when it holds, and for whom. */
export default function ProgramSettings() {
  const { params } = useAddress()
  const program = useAnswer("showProgram", { params: { id: Number(params.id) } })
  const shown = program.data?.data
  return (
    <Screen name="advertiser/program-settings">
      <Loaded from={program}>
        {shown?.status === "archived" && (
          <Empty title={words.archived}>
            <p>{words.archivedText}</p>
          </Empty>
        )}
        {shown && shown.status !== "archived" && (
          <>
            <Settings key={shown.id} program={shown} onRefused={program.refetch} />
            <ProgramState program={shown} onRefused={program.refetch} />
          </>
        )}
      </Loaded>
    </Screen>
  )
}

type Changes = NonNullable<
  Parameters<ReturnType<typeof useStep<"updateProgram">>["take"]>[0]["body"]
>

/** `onRefused`: another tab may have archived the program, or changed it. */
function Settings({ program, onRefused }: { program: Program; onRefused(): unknown }) {
  const { id } = program
  const update = useStep("updateProgram", { onDone: () => announce(words.saved) })
  useEffect(() => void (update.error && onRefused()), [update.error])

  const save = (fields: Record<string, string>) => {
    const { cookie_window_days, website_url, ...rest } = fields
    const given = {
      ...rest,
      website_url: website_url || null,
      cookie_window_days: Number(cookie_window_days),
    }
    const changed = Object.entries(given).filter(
      ([name, value]) => value !== program[name as keyof Program],
    )
    update.take({ params: { id }, body: Object.fromEntries(changed) as Changes })
  }
  return (
    <section class="card">
      <h2>{words.general}</h2>
      <Form action={words.save} error={update.error} isBusy={update.isBusy} onSubmit={save}>
        <Field name="name" label={words.name} hint={words.nameHint} value={program.name} />
        <Field
          name="website_url"
          type="url"
          label={words.website}
          hint={words.websiteHint}
          value={program.website_url}
          isOptional
        />
        <Field name="slug" label={words.slug} hint={words.slugHint} value={program.slug} />
        <h2>{words.tracking}</h2>
        <Field
          name="cookie_window_days"
          type="number"
          label={words.window}
          hint={words.windowHint}
          value={program.cookie_window_days}
          min={1}
          max={365}
        />
        <Select
          name="attribution_model"
          label={words.model}
          hint={words.modelHint}
          value={program.attribution_model}
          options={Object.entries(words.models)}
        />
        <Select
          name="lead_auth"
          label={words.leads}
          hint={words.leadsHint}
          value={program.lead_auth}
          options={Object.entries(words.leadAuths)}
        />
        <Field
          name="currency"
          label={words.currency}
          hint={words.currencyHint}
          value={program.currency}
          maxLength={3}
        />
      </Form>
    </section>
  )
}
