import { Elysia } from "elysia"
import { call } from "../lib/bus"
import { parse } from "../lib/contract"
import {
  createGroup,
  GroupChange,
  listGroups,
  NewGroup,
  showGroup,
  updateGroup,
} from "../services/commissions/contract"
import { fieldsOf, readBody, UNREAD } from "./body"
import { permit, permitOn } from "./caller"
import { listOf, wholePage } from "./list"
import { pageOf, pathId } from "./query"

/** Groups of partners, and the policies by which they earn (contract 3). */
export const groups = new Elysia()
  .get("/:id/groups", async ({ request, params }) => {
    const { id } = await permit(request, "program:read", params.id)
    const page = pageOf(request)
    const { rows, total } = await wholePage(page, slice =>
      call(listGroups, { program_id: id, slice }),
    )
    return listOf(rows, total, page)
  })
  .post(
    "/:id/groups",
    async ({ request, params, set }) => {
      const body = await readBody(request)
      const { id } = await permit(request, "program:update", params.id)
      const group = parse(NewGroup, fieldsOf(body))
      set.status = 201
      return { data: await call(createGroup, { program_id: id, group }) }
    },
    UNREAD,
  )
  .put(
    "/:id/groups/:groupId",
    async ({ request, params }) => {
      const body = await readBody(request)
      const { program, found } = await permitOn(request, "program:update", params.id, program_id =>
        call(showGroup, { program_id, group_id: pathId(params.groupId) }),
      )
      const named = { program_id: program.id, group_id: found.id }
      const change = parse(GroupChange, fieldsOf(body))
      return { data: await call(updateGroup, { ...named, change }) }
    },
    UNREAD,
  )
