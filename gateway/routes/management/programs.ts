import { Elysia } from "elysia"
import { call } from "../../../lib/bus/bus"
import { parse } from "../../../lib/bus/operation"
import { Page } from "../../../lib/fields"
import {
  archiveProgram,
  createProgram,
  listPrograms,
  NewProgram,
  Program,
  ProgramChanges,
  publishProgram,
  regenerateToken,
  updateProgram,
} from "../../../services/identity/contract"
import { fieldsIfAny, fieldsOf, readBody } from "../../http/body"
import { authorizeProgram, managerOf, programIdsOf, workspaceOf } from "../../http/caller"
import { ANSWER_MS_MAX } from "../../http/deadline"
import { Listed, listOf } from "../../http/list"
import { pageOf } from "../../http/query"
import { inWorkspace, manager, One, reads, writes } from "../../openapi/description"

const CHANGE_TIMEOUT_MS = ANSWER_MS_MAX // two services are told, each of them twice if need be

const ARCHIVED = "The program is archived."
const PROGRAM_CONFLICT =
  "The program is archived, its slug is taken, or its currency is fixed since there are sales."

/** Programs and their tracking tokens (specification 4.8, contract 3). */
export const programs = new Elysia()
  .get(
    "",
    async ({ request }) => {
      const caller = await managerOf(request)
      const workspace_id = await workspaceOf(request, caller, "program:list")
      const page = pageOf(request)
      const asked = { workspace_id, program_ids: programIdsOf(caller), ...page }
      const { rows, total } = await call(listPrograms, asked)
      return listOf(rows, total, page)
    },
    reads({
      id: "listPrograms",
      summary: "List the programs of a workspace",
      by: inWorkspace(manager("program:list")),
      query: [Page],
      answers: { 200: Listed(Program) },
    }),
  )
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
    writes({
      id: "createProgram",
      summary: "Make a program; its tracking token is told here alone",
      by: inWorkspace(manager("program:create")),
      body: NewProgram,
      answers: { 201: One(createProgram.reply), 409: "The slug is taken." },
    }),
  )
  .get(
    "/:id",
    async ({ request, params }) => {
      return { data: await authorizeProgram(request, "program:read", params.id) }
    },
    reads({
      id: "showProgram",
      summary: "Show a program",
      by: manager("program:read"),
      answers: { 200: One(Program) },
    }),
  )
  .put(
    "/:id",
    async ({ request, params }) => {
      const body = await readBody(request)
      const { id: program_id } = await authorizeProgram(request, "program:update", params.id)
      const changes = parse(ProgramChanges, fieldsOf(body))
      return { data: await call(updateProgram, { program_id, changes }, CHANGE_TIMEOUT_MS) }
    },
    writes({
      id: "updateProgram",
      summary: "Change the given fields of a program, all of them or none",
      by: manager("program:update"),
      body: ProgramChanges,
      answers: { 200: One(Program), 409: PROGRAM_CONFLICT },
    }),
  )
  .delete(
    "/:id",
    async ({ request, params }) => {
      const body = await readBody(request)
      const { id: program_id } = await authorizeProgram(request, "program:delete", params.id)
      fieldsIfAny(body)
      return { data: await call(archiveProgram, { program_id }, CHANGE_TIMEOUT_MS) }
    },
    writes({
      id: "archiveProgram",
      summary: "End a program for good; its books are kept",
      by: manager("program:delete"),
      answers: { 200: One(Program) },
    }),
  )
  .post(
    "/:id/go-live",
    async ({ request, params }) => {
      const body = await readBody(request)
      const { id: program_id } = await authorizeProgram(request, "program:go_live", params.id)
      fieldsIfAny(body)
      return { data: await call(publishProgram, { program_id }) }
    },
    writes({
      id: "publishProgram",
      summary: "Publish a program to the marketplace",
      by: manager("program:go_live"),
      answers: {
        200: One(Program),
        400: "The program lacks what the sentence names.",
        409: ARCHIVED,
      },
    }),
  )
  .post(
    "/:id/regenerate-api-token",
    async ({ request, params }) => {
      const body = await readBody(request)
      const { id: program_id } = await authorizeProgram(
        request,
        "program:regenerate-token",
        params.id,
      )
      fieldsIfAny(body)
      return { data: await call(regenerateToken, { program_id }) }
    },
    writes({
      id: "regenerateToken",
      summary: "Give a program a new tracking token; the old one is refused at once",
      by: manager("program:regenerate-token"),
      answers: { 200: One(regenerateToken.reply), 409: ARCHIVED },
    }),
  )
