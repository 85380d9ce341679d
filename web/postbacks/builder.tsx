import { useRef, useState } from "preact/hooks"
import { useAnswer } from "../answers"
import { announce } from "../frame/toasts"
import { Checks } from "../parts/checks"
import { Select } from "../parts/field"
import { Form } from "../parts/form"
import { words } from "../words/en/postbacks"
import { dialectText } from "./dialect-text"
import { Macros } from "./macros"
import type { Draft, Postback, PostbackFields, Vocabulary } from "./postback"
import { withPreset } from "./preset"
import { PreviewShown } from "./preview-shown"
import { insertInto, TemplateField } from "./template-field"

const URL_MAX_CHARACTERS = 2_048
const TEMPLATE_MAX_CHARACTERS = 8_192

type Props = {
  /** Absent: a new one. */
  postback?: Postback
  receiver: "partner" | "program"
  /** The programs that a partner may limit it to, by id. Null: it is of one program. */
  programs: ReadonlyMap<number, string> | null
  action: string
  error: Error | null
  isBusy: boolean
  onSubmit(fields: PostbackFields): void
}

/** The form of a postback: its template with macros and presets, and what it will call. */
export function Builder(props: Props) {
  const vocabulary = useAnswer("listPostbackMacros").data?.data
  return vocabulary ? <Fields {...props} vocabulary={vocabulary} /> : null
}

const NEW: Draft = { url: "", method: "GET", body: null, dialect: "tributary" }

function Fields({ postback, vocabulary, receiver, programs, ...form }: Props & Known) {
  const [draft, setDraft] = useState<Draft>(postback ?? NEW)
  const [events, setEvents] = useState<ReadonlySet<string>>(new Set(postback?.events ?? ["sale"]))
  const target = useRef<HTMLTextAreaElement | null>(null)
  const change = (changes: Partial<Draft>) => setDraft({ ...draft, ...changes })
  const focus = (field: HTMLTextAreaElement) => {
    target.current = field
  }
  const insert = (macro: string) => {
    const field = target.current?.isConnected ? target.current : document.querySelector("textarea")
    if (field) insertInto(field, macro)
  }
  const { url, method, dialect } = draft
  const submit = ({ program_id }: Record<string, string>) =>
    form.onSubmit({
      ...{ url, method, dialect, body: draft.body },
      events: [...events] as Postback["events"],
      ...(programs && { program_id: program_id ? Number(program_id) : null }),
    })
  return (
    <>
      <section class="card">
        <Form {...form} onSubmit={submit}>
          {programs && (
            <Select
              name="program_id"
              label={words.program}
              value={`${postback?.program_id ?? ""}`}
              options={[["", words.everyProgram], ...namesOf(programs)]}
            />
          )}
          <TemplateField
            label={words.url}
            hint={words.urlHint}
            value={url}
            rows={3}
            maxLength={URL_MAX_CHARACTERS}
            onFocus={focus}
            onChange={typed => change({ url: typed.replace(/[\r\n]/g, "") })}
          />
          <Presets vocabulary={vocabulary} url={url} onFilled={filled => change(filled)} />
          <Select
            name="method"
            label={words.method}
            value={method}
            options={Object.entries(words.methods)}
            onChange={chosen => change(methodOf(chosen))}
          />
          {method === "POST" && <Body body={draft.body} onFocus={focus} onChange={change} />}
          <Select
            name="dialect"
            label={words.dialect}
            hint={dialectText(vocabulary, dialect)}
            value={dialect}
            options={vocabulary.dialects.map(({ name }) => [name, words.dialects[name] ?? name])}
            onChange={chosen => change({ dialect: chosen as Draft["dialect"] })}
          />
          <Macros vocabulary={vocabulary} dialect={dialect} onPick={insert} />
          <Checks
            legend={words.kinds}
            options={Object.entries(words.events)}
            chosen={events}
            onChange={setEvents}
          />
        </Form>
      </section>
      <PreviewShown draft={draft} vocabulary={vocabulary} receiver={receiver} />
    </>
  )
}

type Known = { vocabulary: Vocabulary }

const namesOf = (programs: ReadonlyMap<number, string>) =>
  Array.from(programs, ([id, name]): [string, string] => [`${id}`, name])

/** A GET has no body. */
const methodOf = (method: string): Partial<Draft> =>
  method === "GET" ? { method, body: null } : { method: "POST" }

/** Fills the address in for a tracker, in the dialect that presets are written in. */
function Presets(props: Known & { url: string; onFilled(filled: Partial<Draft>): void }) {
  const { vocabulary, url, onFilled } = props
  return (
    <fieldset class="choices">
      <legend>{words.presets}</legend>
      <p class="hint">{words.presetsHint}</p>
      <div class="actions">
        {vocabulary.presets.map(({ tracker, query }) => {
          const name = words.trackers[tracker] ?? tracker
          const fill = () => {
            onFilled({ url: withPreset(url, query), dialect: "tributary" })
            announce(words.filled(name))
          }
          return (
            <button key={tracker} type="button" onClick={fill}>
              {name}
            </button>
          )
        })}
      </div>
    </fieldset>
  )
}

type BodyProps = {
  body: Draft["body"]
  onFocus(field: HTMLTextAreaElement): void
  onChange(changes: Partial<Draft>): void
}

function Body({ body, onFocus, onChange }: BodyProps) {
  const choose = (type: string) =>
    onChange({
      body: type === "none" ? null : { type: type as "form", template: body?.template ?? "" },
    })
  return (
    <>
      <Select
        name="body"
        label={words.body}
        value={body?.type ?? "none"}
        options={Object.entries(words.bodies)}
        onChange={choose}
      />
      {body && (
        <TemplateField
          label={words.template}
          hint={words.templateHints[body.type]}
          value={body.template}
          rows={6}
          maxLength={TEMPLATE_MAX_CHARACTERS}
          onFocus={onFocus}
          onChange={template => onChange({ body: { ...body, template } })}
        />
      )}
    </>
  )
}
