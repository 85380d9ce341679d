import { useAddress } from "../address"
import { useAnswer, useStep } from "../answers"
import { announce } from "../frame/toasts"
import { Code } from "../parts/code"
import { Loaded } from "../parts/states"
import { words } from "../words/en/postbacks"
import { Builder } from "./builder"
import { usePostbackPlace } from "./place"
import type { Postback } from "./postback"
import { PostbackState } from "./postbacks"
import { useJoinedPrograms } from "./programs"
import { PostbackSteps } from "./steps"

/** The postback of the address. */
function usePostback() {
  const { operations, params, id, isEnabled } = usePostbackPlace()
  const input = { params: { ...params, postbackId: id ?? 0 } }
  return useAnswer(operations.show, input, { isEnabled: isEnabled && id !== null })
}

/** What the page of the address is called: the host that is called, or that it is for a new one. */
export function usePostbackTitle(): string | undefined {
  const { id } = usePostbackPlace()
  const url = usePostback().data?.data.url
  if (id === null) return words.newTitle
  return url && new URL(url).host
}

/** A postback with its builder, or the builder of a new one. */
export function PostbackPage() {
  const { base, mayWrite, id } = usePostbackPlace()
  const shown = usePostback()
  const postback = shown.data?.data
  return (
    <>
      <p>
        <a href={base}>{words.all}</a>
      </p>
      {id === null ? (
        mayWrite && <New />
      ) : (
        <Loaded from={shown}>{postback && <Known key={postback.id} postback={postback} />}</Loaded>
      )}
    </>
  )
}

function New() {
  const { go } = useAddress()
  const { operations, params, base, receiver } = usePostbackPlace()
  const programs = useJoinedPrograms()
  const create = useStep(operations.create, {
    onDone: ({ data }) => {
      announce(words.created)
      go(`${base}/${data.id}`)
    },
  })
  return (
    <Builder
      receiver={receiver}
      programs={programs}
      action={words.submit}
      error={create.error}
      isBusy={create.isBusy}
      onSubmit={body => create.take({ params, body })}
    />
  )
}

function Known({ postback }: { postback: Postback }) {
  const { operations, params, receiver, mayWrite } = usePostbackPlace()
  const programs = useJoinedPrograms()
  const update = useStep(operations.update, {
    isRepeatable: true,
    onDone: () => announce(words.saved),
  })
  return (
    <>
      <section class="card">
        <p>
          <PostbackState of={postback} />
        </p>
        {mayWrite && <PostbackSteps postback={postback} />}
      </section>
      {mayWrite ? (
        <Builder
          postback={postback}
          receiver={receiver}
          programs={programs}
          action={words.save}
          error={update.error}
          isBusy={update.isBusy}
          onSubmit={body => update.take({ params: { ...params, postbackId: postback.id }, body })}
        />
      ) : (
        <Facts postback={postback} />
      )}
    </>
  )
}

/** For people who may not change it. */
function Facts({ postback: { url, method, body, dialect, events } }: { postback: Postback }) {
  return (
    <section class="card">
      <Code text={`${method} ${url}`} label={words.previewLabel} />
      {body && <Code text={body.template} label={words.bodyLabel} />}
      <dl class="facts">
        <div>
          <dt>{words.dialect}</dt>
          <dd>{words.dialects[dialect] ?? dialect}</dd>
        </div>
        <div>
          <dt>{words.kinds}</dt>
          <dd>{events.map(event => words.events[event]).join(", ")}</dd>
        </div>
      </dl>
    </section>
  )
}
