import { useState } from "preact/hooks"
import { Code } from "../parts/code"
import { Select } from "../parts/field"
import { words } from "../words/en/postbacks"
import type { Draft, PostbackEvent, Vocabulary } from "./postback"
import { previewOf } from "./preview"
import { sampleOf } from "./sample"

/** The request as it will be made, with sample values. Follows what is typed. */
export function PreviewShown({
  draft,
  vocabulary,
  receiver,
}: {
  draft: Draft
  vocabulary: Vocabulary
  receiver: "partner" | "program"
}) {
  const [event, setEvent] = useState<PostbackEvent>("sale")
  if (draft.url.trim() === "") return <p class="quiet-text">{words.previewEmpty}</p>
  const { url, body, unknown } = previewOf(draft, vocabulary, sampleOf(event, receiver))
  return (
    <section class="card" aria-label={words.preview}>
      <h2>{words.preview}</h2>
      <Select
        name="sample"
        label={words.previewOf}
        hint={words.previewHint}
        value={event}
        options={Object.entries(words.events)}
        onChange={chosen => setEvent(chosen as PostbackEvent)}
      />
      <Code text={`${draft.method} ${url}`} label={words.previewLabel} />
      {body !== null && <Code text={body} label={words.bodyLabel} />}
      {unknown.length > 0 && <p class="bad-text">{words.unknown(unknown.join(", "))}</p>}
    </section>
  )
}
