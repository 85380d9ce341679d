import { Elysia } from "elysia"
import { call } from "../../../lib/bus/bus"
import { parse } from "../../../lib/bus/operation"
import { Page } from "../../../lib/fields"
import {
  createGroup,
  Group,
  GroupChange,
  listGroups,
  NewGroup,
  showGroup,
  updateGroup,
} from "../../../services/commissions/contract"
import { fieldsOf, readBody } from "../../http/body"
import { authorizeInside, authorizeProgram } from "../../http/caller"
import { Listed, listOf, wholePage } from "../../http/list"
import { pageOf, pathId } from "../../http/query"
import { manager, One, reads, writes } from "../../openapi/description"

/** Groups of partners, and the policies by which they earn (contract 3). */
export const groups = new Elysia()
  .get(
    "/:id/groups",
    async ({ request, params }) => {
      const { id } = await authorizeProgram(request, "program:read", params.id)
      const page = pageOf(request)
      const { rows, total } = await wholePage(page, slice =>
        call(listGroups, { program_id: id, slice }),
      )
      return listOf(rows, total, page)
    },
    reads({
      id: "listGroups",
      summary: "List the groups of a program",
      by: manager("program:read"),
      query: [Page],
      answers: { 200: Listed(Group) },
    }),
  )
  .post(
    "/:id/groups",
    async ({ request, params, set }) => {
      const body = await readBody(request)
      const { id } = await authorizeProgram(request, "program:update", params.id)
      const group = parse(NewGroup, fieldsOf(body))
      set.status = 201
      return { data: await call(createGroup, { program_id: id, group }) }
    },
    writes({
      id: "createGroup",
      summary: "Make a group, with the policy by which its partners earn",
      by: manager("program:update"),
      body: NewGroup,
      answers: { 201: One(Group) },
    }),
  )
  .put(
    "/:id/groups/:groupId",
    async ({ request, params }) => {
      const body = await readBody(request)
      const { program, found } = await authorizeInside(
        request,
        "program:update",
        params.id,
        program_id => call(showGroup, { program_id, group_id: pathId(params.groupId) }),
      )
      const named = { program_id: program.id, group_id: found.id }
      const change = parse(GroupChange, fieldsOf(body))
      return { data: await call(updateGroup, { ...named, change }) }
    },
    writes({
      id: "updateGroup",
      summary: "Change a group; a policy becomes a new version",
      by: manager("program:update"),
      body: GroupChange,
      answers: { 200: One(Group) },
    }),
  )
