import { describe, expect, test } from "bun:test"
import type { Api } from "../../../gateway/routes/routes"
import { ROUTES } from "../../../gateway/routes/routes"
import { newProgram } from "../../support/program"
import { send } from "../../support/world"

/** Calls an operation by its id, typed by its declaration alone, as the pages do. */
async function callApi<Id extends keyof Api>(
  id: Id,
  { params, body }: Pick<Api[Id]["input"], "params" | "body">,
  token: string,
): Promise<Api[Id]["answer"]> {
  const declared = ROUTES.find(({ declaration }) => declaration.id === id)!.declaration
  const path = declared.path.replace(/:(\w+)/g, (_, name) => params[name as never])
  return (await send(declared.method, path, { token, body })).body
}

describe("declarations of routes", () => {
  test("type what a client sends and what it gets", async () => {
    const { program_id, session } = await newProgram()
    const params = { id: `${program_id}` }

    const body = { name: "Friends", policy: { kind: "fixed", amount_cents: 500 } as const }
    const created = await callApi("createGroup", { params, body }, session)
    const listed = await callApi("listGroups", { params, body: undefined }, session)

    const names: string[] = listed.data.map(({ name }) => name)
    expect(names).toEqual(["Default", created.data.name])
    expect(listed.data.at(-1)!.policy.kind satisfies "percent" | "fixed").toBe("fixed")
  })

  test("name each operation once and each path once", () => {
    const declarations = ROUTES.map(({ declaration }) => declaration)
    const ids = declarations.map(({ id }) => id)
    const paths = declarations.flatMap(({ method, path, aliases = [] }) =>
      [path, ...aliases].map(each => `${method} ${each}`),
    )
    expect(new Set(ids).size).toBe(ids.length)
    expect(new Set(paths).size).toBe(paths.length)
  })
})
