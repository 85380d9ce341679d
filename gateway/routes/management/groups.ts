import { call } from "../../../lib/bus/bus"
import { Page } from "../../../lib/fields"
import {
  createGroup,
  Group,
  GroupChange,
  listGroups,
  listPolicies,
  NewGroup,
  PolicyVersion,
  showGroup,
  updateGroup,
} from "../../../services/commissions/contract"
import { inProgram, program } from "../../http/access"
import { Listed, listOf, wholePage } from "../../http/list"
import { pathId } from "../../http/query"
import { One, route } from "../../http/route"

const oneGroup = (action: "program:read" | "program:update") =>
  inProgram(action, ({ program_id, params }) =>
    call(showGroup, { program_id, group_id: pathId(params.groupId) }),
  )

/** Groups of partners and their commission policies (behaviour 3.4, 3.5). */
export const groups = [
  route(
    {
      id: "listGroups",
      method: "GET",
      path: "/api/advertiser/affiliate-programs/:id/groups",
      summary: "List the groups of a program",
      access: program("program:read"),
      query: [Page],
      answers: { 200: Listed(Group) },
    },
    async ({ program, page }) => {
      const { rows, total } = await wholePage(page, slice =>
        call(listGroups, { program_id: program.id, slice }),
      )
      return listOf(rows, total, page)
    },
  ),
  route(
    {
      id: "createGroup",
      method: "POST",
      path: "/api/advertiser/affiliate-programs/:id/groups",
      summary: "Create a group with its commission policy",
      access: program("program:update"),
      changesProgram: true,
      body: NewGroup,
      answers: { 201: One(Group) },
    },
    async ({ program, body: group }) => ({
      data: await call(createGroup, { program_id: program.id, group }),
    }),
  ),
  route(
    {
      id: "updateGroup",
      method: "PUT",
      path: "/api/advertiser/affiliate-programs/:id/groups/:groupId",
      summary: "Change a group. A changed policy becomes a new version",
      access: oneGroup("program:update"),
      changesProgram: true,
      body: GroupChange,
      answers: { 200: One(Group) },
    },
    async ({ program, found, body: change }) => ({
      data: await call(updateGroup, { program_id: program.id, group_id: found.id, change }),
    }),
  ),
  route(
    {
      id: "listPolicies",
      method: "GET",
      path: "/api/advertiser/affiliate-programs/:id/groups/:groupId/policies",
      summary: "List every version of a group's policy, newest first",
      access: oneGroup("program:read"),
      query: [Page],
      answers: { 200: Listed(PolicyVersion) },
    },
    async ({ program, found, page }) => {
      const { rows, total } = await wholePage(page, slice =>
        call(listPolicies, { program_id: program.id, group_id: found.id, slice }),
      )
      return listOf(rows, total, page)
    },
  ),
]
