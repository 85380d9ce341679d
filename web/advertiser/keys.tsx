import { useState } from "preact/hooks"
import { useAddress } from "../address"
import { useAnswer } from "../answers"
import type { Answer } from "../client"
import { Screen } from "../parts/screen"
import { Empty, Loaded } from "../parts/states"
import { Status } from "../parts/status"
import { type Column, Pages, Table } from "../parts/table"
import { dateText, When } from "../parts/when"
import { words } from "../words/en/keys"
import { CreateKey } from "./keys/create-key"
import { RevokeKey } from "./keys/revoke-key"

export type Key = Answer<"listKeys">["data"][number]

/** The Management API keys of a workspace. */
export default function Keys() {
  const { params, query } = useAddress()
  const workspace_id = Number(params.id)
  const [isCreating, setCreating] = useState(false)
  const [revoked, setRevoked] = useState<Key | null>(null)
  const keys = useAnswer("listKeys", {
    workspace: workspace_id,
    query: { page: query.page, pageSize: 50 },
  })
  const columns: Column<Key>[] = [
    { name: "name", head: words.name, cell: ({ name }) => name },
    { name: "key", head: words.key, cell: ({ prefix }) => <code>{prefix}</code> },
    { name: "may", head: words.may, cell: ({ scopes }) => <Scopes of={scopes} /> },
    {
      name: "programs",
      head: words.programs,
      cell: ({ program_scope }) => programsText(program_scope),
    },
    {
      name: "used",
      head: words.lastUsed,
      cell: ({ last_used_at }) => (last_used_at ? <When time={last_used_at} /> : words.never),
    },
    { name: "status", head: words.status, cell: key => <KeyStatus of={key} /> },
    {
      name: "revoke",
      head: words.revokeHead,
      cell: key =>
        key.status === "active" && (
          <button
            type="button"
            aria-label={words.revokeLabel(key.name)}
            onClick={() => setRevoked(key)}
          >
            {words.revoke}
          </button>
        ),
    },
  ]
  const create = (
    <button type="button" class="primary" onClick={() => setCreating(true)}>
      {words.create}
    </button>
  )
  return (
    <Screen name="advertiser/keys" actions={create}>
      <Loaded from={keys}>
        {keys.data?.meta.pagination.total === 0 ? (
          <Empty title={words.empty}>
            <p>{words.emptyText}</p>
          </Empty>
        ) : (
          <>
            <Table
              caption={words.caption}
              isTitled
              columns={columns}
              rows={keys.data?.data ?? []}
              isStale={keys.isPlaceholderData}
            />
            {keys.data && <Pages meta={keys.data.meta} />}
          </>
        )}
      </Loaded>
      {isCreating && <CreateKey workspace_id={workspace_id} onClose={() => setCreating(false)} />}
      {revoked && <RevokeKey of={revoked} onClose={() => setRevoked(null)} />}
    </Screen>
  )
}

function Scopes({ of }: { of: Key["scopes"] }) {
  if (of.length === 0) return words.noProgram
  return (
    <ul>
      {of.map(scope => (
        <li key={scope}>{words.sentences[scope]}</li>
      ))}
    </ul>
  )
}

function programsText(program_scope: Key["program_scope"]): string {
  if (program_scope === null) return words.everyProgram
  return program_scope.length === 0 ? words.noProgram : program_scope.join(", ")
}

function KeyStatus({ of: { status, expires_at } }: { of: Key }) {
  if (status === "revoked") return <Status tone="plain" text={words.revoked} />
  if (!expires_at) return <Status tone="good" text={words.active} />
  return Date.parse(expires_at) <= Date.now() ? (
    <Status tone="warn" text={words.expired} />
  ) : (
    <Status tone="good" text={words.expiresOn(dateText(expires_at))} />
  )
}
