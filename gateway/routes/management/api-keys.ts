import { call } from "../../../lib/bus/bus"
import { Page } from "../../../lib/fields"
import {
  createKey,
  Key,
  KeyChanges,
  listKeys,
  NewKey,
  permitKey,
  revokeKey,
  updateKey,
} from "../../../services/identity/contract"
import { memberOrKey, workspace, workspaceBySession } from "../../http/access"
import { managerOf, programIdsOf } from "../../http/caller"
import { Listed, listOf } from "../../http/list"
import { idIn } from "../../http/query"
import { One, route } from "../../http/route"

/** The key of the path, if the caller may change it: 403 precedes 404, and both precede 400. */
const oneKey = {
  ...memberOrKey("*"),
  async authorize(request: Request, params: Record<string, string>) {
    const caller = await managerOf(request)
    const { id: key_id } = await call(permitKey, { caller, key_id: idIn(params.id) })
    return { target: { caller, key_id } }
  },
}

/** Management API keys (behaviour 2.12). Only a session creates one. */
export const apiKeys = [
  route(
    {
      id: "createKey",
      method: "POST",
      path: "/api/advertiser/api-keys",
      summary: "Create a Management API key. The key is shown only once",
      access: workspaceBySession("api_key:manage"),
      body: NewKey,
      answers: { 201: One(createKey.reply) },
    },
    async ({ caller, workspace_id, body: key }) => ({
      data: await call(createKey, { user_id: caller.user_id, workspace_id, key }),
    }),
  ),
  route(
    {
      id: "listKeys",
      method: "GET",
      path: "/api/advertiser/api-keys",
      summary: "List the keys of a workspace, masked",
      access: workspace("api_key:manage"),
      query: [Page],
      answers: { 200: Listed(Key) },
    },
    async ({ caller, workspace_id, page }) => {
      const request = { workspace_id, program_ids: programIdsOf(caller), page }
      const { rows, total } = await call(listKeys, request)
      return listOf(rows, total, page)
    },
  ),
  route(
    {
      id: "updateKey",
      method: "PUT",
      path: "/api/advertiser/api-keys/:id",
      summary: "Change the name, scopes or programs of a key",
      access: oneKey,
      body: KeyChanges,
      answers: { 200: One(Key), 409: "The key is revoked or expired." },
    },
    async ({ target, body: changes }) => ({
      data: await call(updateKey, { ...target, changes }),
    }),
  ),
  route(
    {
      id: "revokeKey",
      method: "DELETE",
      path: "/api/advertiser/api-keys/:id",
      summary: "Revoke a key. It stops working at once",
      access: oneKey,
      answers: { 200: One(Key) },
    },
    async ({ target }) => ({ data: await call(revokeKey, target) }),
  ),
]
