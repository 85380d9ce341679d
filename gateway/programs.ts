import { Elysia } from "elysia"
import { call } from "../lib/bus"
import { parse } from "../lib/contract"
import {
  archiveProgram,
  createProgram,
  listPrograms,
  NewProgram,
  ProgramChanges,
  publishProgram,
  regenerateToken,
  updateProgram,
} from "../services/identity/contract"
import { fieldsIfAny, fieldsOf, readBody, UNREAD } from "./body"
import { managerOf, permit, programIdsOf, workspaceOf } from "./caller"
import { ANSWER_MS_MAX } from "./deadline"
import { listOf } from "./list"
import { pageOf } from "./query"

const CHANGE_TIMEOUT_MS = ANSWER_MS_MAX // two services are told, each of them twice if need be

/** Programs and their tracking tokens (specification 4.8, contract 3). */
export const programs = new Elysia()
  .get("", async ({ request }) => {
    const caller = await managerOf(request)
    const workspace_id = await workspaceOf(request, caller, "program:list")
    const page = pageOf(request)
    const asked = { workspace_id, program_ids: programIdsOf(caller), ...page }
    const { rows, total } = await call(listPrograms, asked)
    return listOf(rows, total, page)
  })
  .post(
    "",
    async ({ request, set }) => {
      const body = await readBody(request)
      const caller = await managerOf(request)
      const workspace_id = await workspaceOf(request, caller, "program:create")
      const program = parse(NewProgram, fieldsOf(body))
      const data = await call(createProgram, { workspace_id, program }, CHANGE_TIMEOUT_MS)
      set.status = 201
      return { data }
    },
    UNREAD,
  )
  .get("/:id", async ({ request, params }) => {
    return { data: await permit(request, "program:read", params.id) }
  })
  .put(
    "/:id",
    async ({ request, params }) => {
      const body = await readBody(request)
      const { id: program_id } = await permit(request, "program:update", params.id)
      const changes = parse(ProgramChanges, fieldsOf(body))
      return { data: await call(updateProgram, { program_id, changes }, CHANGE_TIMEOUT_MS) }
    },
    UNREAD,
  )
  .delete(
    "/:id",
    async ({ request, params }) => {
      const body = await readBody(request)
      const { id: program_id } = await permit(request, "program:delete", params.id)
      fieldsIfAny(body)
      return { data: await call(archiveProgram, { program_id }, CHANGE_TIMEOUT_MS) }
    },
    UNREAD,
  )
  .post(
    "/:id/go-live",
    async ({ request, params }) => {
      const body = await readBody(request)
      const { id: program_id } = await permit(request, "program:go_live", params.id)
      fieldsIfAny(body)
      return { data: await call(publishProgram, { program_id }) }
    },
    UNREAD,
  )
  .post(
    "/:id/regenerate-api-token",
    async ({ request, params }) => {
      const body = await readBody(request)
      const { id: program_id } = await permit(request, "program:regenerate-token", params.id)
      fieldsIfAny(body)
      return { data: await call(regenerateToken, { program_id }) }
    },
    UNREAD,
  )
