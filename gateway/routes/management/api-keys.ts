import { Elysia } from "elysia"
import { call } from "../../../lib/bus/bus"
import { parse } from "../../../lib/bus/operation"
import { Page } from "../../../lib/fields"
import {
  type Caller,
  createKey,
  Key,
  KeyChanges,
  listKeys,
  NewKey,
  permitKey,
  revokeKey,
  updateKey,
} from "../../../services/identity/contract"
import { fieldsIfAny, fieldsOf, readBody } from "../../http/body"
import { managerOf, programIdsOf, sessionOf, workspaceOf } from "../../http/caller"
import { Listed, listOf } from "../../http/list"
import { pageOf, pathId } from "../../http/query"
import { inWorkspace, manager, One, PERMITTED, reads, writes } from "../../openapi/description"

/** Management API keys (specification 4.8, contract 2). Only a person makes one. */
export const apiKeys = new Elysia({ prefix: "/api/advertiser/api-keys" })
  .post(
    "",
    async ({ request, set }) => {
      const body = await readBody(request)
      const caller = await sessionOf(request)
      const workspace_id = await workspaceOf(request, caller, "api_key:manage")
      const key = parse(NewKey, fieldsOf(body))
      const data = await call(createKey, { user_id: caller.user_id, workspace_id, key })
      set.status = 201
      return { data }
    },
    writes({
      id: "createKey",
      summary: "Make a Management API key; it is told here alone",
      by: inWorkspace(PERMITTED),
      body: NewKey,
      answers: { 201: One(createKey.reply) },
    }),
  )
  .get(
    "",
    async ({ request }) => {
      const caller = await managerOf(request)
      const workspace_id = await workspaceOf(request, caller, "api_key:manage")
      const page = pageOf(request)
      const asked = { workspace_id, program_ids: programIdsOf(caller), page }
      const { rows, total } = await call(listKeys, asked)
      return listOf(rows, total, page)
    },
    reads({
      id: "listKeys",
      summary: "List the keys of a workspace, masked",
      by: inWorkspace(manager("*")),
      query: [Page],
      answers: { 200: Listed(Key) },
    }),
  )
  .put(
    "/:id",
    async ({ request, params }) => {
      const body = await readBody(request)
      const named = await permitted(await managerOf(request), params.id)
      const changes = parse(KeyChanges, fieldsOf(body))
      return { data: await call(updateKey, { ...named, changes }) }
    },
    writes({
      id: "updateKey",
      summary: "Change the name, the scopes or the programs of a key",
      by: manager("*"),
      body: KeyChanges,
      answers: { 200: One(Key), 409: "The key is revoked or expired." },
    }),
  )
  .delete(
    "/:id",
    async ({ request, params }) => {
      const body = await readBody(request)
      const named = await permitted(await managerOf(request), params.id)
      fieldsIfAny(body)
      return { data: await call(revokeKey, named) }
    },
    writes({
      id: "revokeKey",
      summary: "Revoke a key: it is refused from then on",
      by: manager("*"),
      answers: { 200: One(Key) },
    }),
  )

/** The key of the path, where the caller may change it: 404 and 403 come before 400. */
async function permitted(caller: Caller, id: string) {
  const named = { caller, key_id: pathId(id) }
  await call(permitKey, named)
  return named
}
