import { beforeAll, describe, expect, test } from "bun:test"
import { validate } from "@hyperjump/json-schema/openapi-3-1"
import { createConfig, lintFromString } from "@redocly/openapi-core"
import { app } from "../../../gateway/app"
import {
  JOINED_PROGRAM_ROUTES,
  PARTNER_ROUTES,
  QUERIED_PROGRAM_ROUTES,
} from "../../support/access-partner"
import {
  KEY_ROUTES,
  MEMBER_ROUTES,
  NOTIFICATION_ROUTES,
  PROGRAM_ROUTES,
  PROGRAM_SESSION_ROUTES,
  REPORT_ROUTES,
  WORKSPACE_ROUTES,
} from "../../support/access-table"
import {
  ALIASES,
  PUBLIC_PROGRAM_ROUTES,
  PUBLIC_ROUTES,
  SESSION_ROUTES,
} from "../../support/access-without-roles"
import { send } from "../../support/world"

const META_SCHEMA = "https://spec.openapis.org/oas/3.1/schema-base"

let document: any
beforeAll(async () => {
  document = (await send("GET", "/openapi.json")).body
})

/** Operations by route, written "GET /path/:id" like those of the gateway. */
const operations = (): [string, any][] =>
  Object.entries<object>(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, any] => [
      `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ":$1")}`,
      operation,
    ]),
  )
const operation = (route: string) => new Map(operations()).get(route.replace(/ +/, " "))
const securityOf = (route: string) => JSON.stringify(operation(route).security)

describe("/openapi.json", () => {
  test("is valid OpenAPI 3.1", async () => {
    const output = await validate(META_SCHEMA, document, "BASIC")
    expect(output).toEqual({ valid: true })
  })

  test("follows Redocly's recommended rules, also in its examples", async () => {
    const rules = {
      "info-license": "off", // the document names none
      "operation-2xx-response": "off", // a form that is accepted leads on, with 303
    } as const
    const config = await createConfig({ extends: ["recommended"], rules })
    const problems = await lintFromString({ source: JSON.stringify(document), config })
    expect(problems.map(({ message, location }) => [message, location[0]?.pointer])).toEqual([])
  })

  test("has every route of the gateway, and no other", () => {
    const routes = app.routes.map(({ method, path }) => `${method} ${path}`)
    expect(
      operations()
        .map(([route]) => route)
        .sort(),
    ).toEqual([...new Set(routes)].sort())
  })

  test("contains no undefined value", () => {
    expect(JSON.stringify(document)).not.toContain("undefined")
  })

  test("gives each body an example", () => {
    const without = operations().flatMap(([route, { requestBody, responses }]) =>
      [requestBody, ...Object.values<any>(responses)]
        .map(part => part?.content?.["application/json"])
        .filter(body => body && body.example === undefined)
        .map(() => route),
    )
    expect(without).toEqual([])
  })

  test("documents every refusal as {error}, except a duplicate sale and GET /status", () => {
    const others = operations().flatMap(([route, { responses }]) =>
      Object.entries<any>(responses)
        .filter(([status]) => Number(status) >= 400)
        .map(([status, response]) => {
          const name = response.$ref?.split("/").at(-1)
          const { content } = name ? document.components.responses[name] : response
          return [route, status, content["application/json"].schema.$ref]
        })
        .filter(([, , schema]) => schema !== "#/components/schemas/Error")
        .map(([route, status]) => `${status} ${route}`),
    )
    expect(others).toEqual([
      "503 GET /status",
      "409 POST /api/v1/track/sale",
      "409 POST /api/tracking/sale",
    ])
  })

  const SESSION = [{ session: [] }, { sessionCookie: [] }]
  const managed = [PROGRAM_ROUTES, WORKSPACE_ROUTES, NOTIFICATION_ROUTES, KEY_ROUTES]
    .flat()
    .map(([route, _roles, scope = "no key"]) => [route, scope] as const)
  const sessionRoutes = [
    PROGRAM_SESSION_ROUTES,
    PARTNER_ROUTES,
    JOINED_PROGRAM_ROUTES,
    QUERIED_PROGRAM_ROUTES,
    MEMBER_ROUTES,
    REPORT_ROUTES,
  ]
    .flat()
    .map(([route]) => route)

  test.each(managed)("documents the scope of %s", (route, scope) => {
    const scopes = scope === "no key" ? [] : scope.split(" ")
    const keys = scopes.map(each => ({ managementKey: [each] }))
    expect(operation(route).security).toEqual([...SESSION, ...keys])
  })

  test.each([...sessionRoutes, ...SESSION_ROUTES])("documents that %s takes a session", route => {
    expect(operation(route).security).toEqual(SESSION)
  })

  test.each([...PUBLIC_ROUTES, ...PUBLIC_PROGRAM_ROUTES])(
    "documents that %s takes no credential",
    route => {
      expect(operation(route).security).toEqual([])
    },
  )

  test.each(Object.entries(ALIASES))("documents that %s is an alias", (alias, route) => {
    expect(operation(alias).deprecated).toBe(true)
    expect(operation(route).deprecated).toBeUndefined()
    expect(securityOf(alias)).toBe(securityOf(route))
  })
})

describe("/docs", () => {
  test("is one page that loads only from its own origin", async () => {
    const { status, headers, body } = await send("GET", "/docs")
    expect(status).toBe(200)
    expect(headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; script-src ('sha256-[^']+' ?){2}; style-src 'sha256-[^']+'; img-src data:; connect-src 'self';/,
    )
    expect(body).toStartWith("<!doctype html>")
    expect(body.match(/<(script|link|img|iframe)\b[^>]*\b(src|href)=/g)).toEqual([
      '<link rel="icon" href=',
    ])
  })

  test.each(["/docs", "/openapi.json"])("%s refuses a bad query as JSON", async path => {
    const { status, headers, body } = await send("GET", `${path}?a=%00`)
    expect({ status, body }).toEqual({ status: 400, body: { error: expect.any(String) } })
    expect(headers.get("content-encoding")).toBeNull()
  })
})
