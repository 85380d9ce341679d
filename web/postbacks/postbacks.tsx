import { useAddress } from "../address"
import { useAnswer } from "../answers"
import { Empty, Loaded } from "../parts/states"
import { Status } from "../parts/status"
import { type Column, Pages, Table } from "../parts/table"
import { words } from "../words/en/postbacks"
import { usePostbackPlace } from "./place"
import type { Postback } from "./postback"
import { useJoinedPrograms } from "./programs"

/** The postbacks of a partner or a program. */
export function Postbacks() {
  const { query } = useAddress()
  const { operations, params, base, intro, isEnabled } = usePostbackPlace()
  const input = { params, query: { page: query.page, pageSize: 50 } }
  const postbacks = useAnswer(operations.list, input, { isEnabled })
  const programs = useJoinedPrograms()
  return (
    <>
      <p>{intro}</p>
      <Loaded from={postbacks}>
        {postbacks.data?.meta.pagination.total === 0 ? (
          <Empty title={words.empty}>
            <CreatePostback />
          </Empty>
        ) : (
          <>
            <Table
              caption={words.caption}
              isTitled
              columns={columnsOf(base, programs)}
              rows={postbacks.data?.data ?? []}
              isStale={postbacks.isPlaceholderData}
            />
            {postbacks.data && <Pages meta={postbacks.data.meta} />}
          </>
        )}
      </Loaded>
    </>
  )
}

/** The way to a new postback, for people who may create one. */
export function CreatePostback() {
  const { base, mayWrite } = usePostbackPlace()
  if (!mayWrite) return null
  return (
    <a class="button primary" href={`${base}/new`}>
      {words.create}
    </a>
  )
}

const columnsOf = (
  base: string,
  programs: ReadonlyMap<number, string> | null,
): Column<Postback>[] => [
  {
    name: "url",
    head: words.url,
    cell: ({ id, url }) => (
      <a href={`${base}/${id}`}>
        <bdi>{url}</bdi>
      </a>
    ),
  },
  ...(programs
    ? [
        {
          name: "program",
          head: words.program,
          cell: ({ program_id }: Postback) =>
            program_id === null
              ? words.everyProgram
              : (programs.get(program_id) ?? `${program_id}`),
        },
      ]
    : []),
  {
    name: "events",
    head: words.kinds,
    cell: ({ events }) => (
      <ul>
        {events.map(event => (
          <li key={event}>{words.events[event]}</li>
        ))}
      </ul>
    ),
  },
  { name: "status", head: words.status, cell: postback => <PostbackState of={postback} /> },
]

export const PostbackState = ({ of: { status } }: { of: Postback }) => (
  <Status tone={status === "enabled" ? "good" : "plain"} text={words.statuses[status]} />
)
