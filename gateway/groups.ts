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
import { fieldsOf, readBody } from "./body"
import { managerOf, permit, permitOn } from "./caller"
import { listOf, wholePage } from "./list"
import { pageOf, pathId } from "./query"

const UNREAD = { parse: "none" } as const // a handler reads its body itself: 401 comes before 400

/** Groups of partners, and the policies by which they earn (contract 3). */
export const groups = new Elysia()
  .get("/:id/groups", async ({ request, params }) => {
    const { id } = await permit(await managerOf(request), "program:read", params.id)
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
      const { id } = await permit(await managerOf(request), "program:update", params.id)
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
      const caller = await managerOf(request)
      const { id } = await permitOn(caller, "program:update", params.id, program_id =>
        call(showGroup, { program_id, group_id: pathId(params.groupId) }),
      )
      const named = { program_id: id, group_id: pathId(params.groupId) }
      const change = parse(GroupChange, fieldsOf(body))
      return { data: await call(updateGroup, { ...named, change }) }
    },
    UNREAD,
  )
