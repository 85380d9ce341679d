import { call } from "../../../lib/bus/bus"
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
import { program, workspace } from "../../http/access"
import { programIdsOf } from "../../http/caller"
import { ANSWER_MS_MAX } from "../../http/deadline"
import { Listed, listOf } from "../../http/list"
import { One, route } from "../../http/route"

const CHANGE_TIMEOUT_MS = ANSWER_MS_MAX // identity calls two services, and may call each twice

const ARCHIVED = "The program is archived."

/** Programs and their tracking tokens (behaviour 3.3). */
export const programs = [
  route(
    {
      id: "listPrograms",
      method: "GET",
      path: "/api/advertiser/affiliate-programs",
      summary: "List the programs of a workspace",
      access: workspace("program:list"),
      query: [Page],
      answers: { 200: Listed(Program) },
    },
    async ({ caller, workspace_id, page }) => {
      const request = { workspace_id, program_ids: programIdsOf(caller), ...page }
      const { rows, total } = await call(listPrograms, request)
      return listOf(rows, total, page)
    },
  ),
  route(
    {
      id: "createProgram",
      method: "POST",
      path: "/api/advertiser/affiliate-programs",
      summary: "Create a program. The tracking token is shown only once",
      access: workspace("program:create"),
      body: NewProgram,
      answers: { 201: One(createProgram.reply), 409: "The slug is taken." },
    },
    async ({ workspace_id, body: program }) => ({
      data: await call(createProgram, { workspace_id, program }, CHANGE_TIMEOUT_MS),
    }),
  ),
  route(
    {
      id: "showProgram",
      method: "GET",
      path: "/api/advertiser/affiliate-programs/:id",
      summary: "Show a program",
      access: program("program:read"),
      answers: { 200: One(Program) },
    },
    ({ program }) => ({ data: program }),
  ),
  route(
    {
      id: "updateProgram",
      method: "PUT",
      path: "/api/advertiser/affiliate-programs/:id",
      summary: "Update a program. If any field is invalid, nothing changes",
      access: program("program:update"),
      body: ProgramChanges,
      answers: {
        200: One(Program),
        409: "The program is archived, the slug is taken, or the currency can no longer change because the program has sales.",
      },
    },
    async ({ program, body: changes }) => ({
      data: await call(updateProgram, { program_id: program.id, changes }, CHANGE_TIMEOUT_MS),
    }),
  ),
  route(
    {
      id: "archiveProgram",
      method: "DELETE",
      path: "/api/advertiser/affiliate-programs/:id",
      summary: "Archive a program for good. Its books are kept",
      access: program("program:delete"),
      answers: { 200: One(Program) },
    },
    async ({ program }) => ({
      data: await call(archiveProgram, { program_id: program.id }, CHANGE_TIMEOUT_MS),
    }),
  ),
  route(
    {
      id: "publishProgram",
      method: "POST",
      path: "/api/advertiser/affiliate-programs/:id/go-live",
      summary: "Publish a program to the marketplace",
      access: program("program:go_live"),
      answers: {
        200: One(Program),
        400: "The program is missing a required field, which the error names.",
        409: ARCHIVED,
      },
    },
    async ({ program }) => ({ data: await call(publishProgram, { program_id: program.id }) }),
  ),
  route(
    {
      id: "regenerateToken",
      method: "POST",
      path: "/api/advertiser/affiliate-programs/:id/regenerate-api-token",
      summary: "Replace a program's tracking token. The old token stops working at once",
      access: program("program:regenerate-token"),
      answers: { 200: One(regenerateToken.reply), 409: ARCHIVED },
    },
    async ({ program }) => ({ data: await call(regenerateToken, { program_id: program.id }) }),
  ),
]
