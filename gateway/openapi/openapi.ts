import { type TSchema, Type } from "@sinclair/typebox"
import { config } from "../../lib/config"
import { Id, Name, Page } from "../../lib/fields"
import { COOKIE_NAME } from "../http/cookies"
import type { Declaration, Route } from "../http/route"
import { exampleOf } from "./examples"
import { type JsonSchema, jsonSchemaOf, writeOut } from "./json-schema"
import { ABOUT, HEADERS, REFUSALS, SECURITY, tagOf } from "./openapi-texts"
import { SCHEMAS } from "./schemas"

type Described = Declaration & { isAlias: boolean }

/** The refusals of every route, reads included. */
const ALWAYS = [400, 415, 429, 500, 503]

const JSON_TYPE = "application/json"

/** What stands in a path and is no id. */
const IN_PATH: Record<string, TSchema> = {
  customerKey: Name,
  slug: Type.String({ description: "the slug of a program" }),
  logo: Type.String({ description: "the name of a logo" }),
}
const ErrorBody = Type.Object({ error: Type.String({ description: "a human-readable message" }) })
const names = new Map(Object.entries({ Error: ErrorBody, ...SCHEMAS }).map(([n, s]) => [s, n]))

/** The OpenAPI 3.1 document of these routes, made from their declarations (http/route.ts). */
export function openApiOf(routes: readonly Route[]) {
  const used = new Map<string, JsonSchema>()
  const referTo = (schema: TSchema) => {
    const name = names.get(schema as never)
    if (name === undefined) return
    if (!used.has(name)) {
      used.set(name, {}) // it may refer to itself
      used.set(name, writeOut(schema, referTo))
    }
    return `#/components/schemas/${name}`
  }
  const write = (schema: TSchema) => jsonSchemaOf(schema, referTo)

  const paths: Record<string, Record<string, object>> = {}
  for (const route of describedOf(routes)) {
    const path = route.path.replace(/:(\w+)/g, "{$1}")
    paths[path] ??= {}
    paths[path][route.method.toLowerCase()] = operationOf(route, write)
  }
  const responses = Object.fromEntries(
    Object.entries(REFUSALS).map(([status, { name, ...texts }]) => [
      name,
      refusal(texts.description, +status, write, texts.example),
    ]),
  )
  const sessionCookie = { ...SECURITY.sessionCookie, name: COOKIE_NAME }
  return {
    openapi: "3.1.1",
    ...ABOUT,
    servers: [{ url: config.public_url?.replace(/\/+$/, "") ?? "/" }],
    paths,
    components: {
      schemas: Object.fromEntries([...used].sort(([a], [b]) => (a < b ? -1 : 1))),
      responses,
      headers: HEADERS,
      securitySchemes: { ...SECURITY, sessionCookie: sessionCookie },
    },
  }
}

/** An alias is an operation of its own in OpenAPI. */
const describedOf = (routes: readonly Route[]): Described[] =>
  routes.flatMap(({ declaration }) => [
    { ...declaration, isAlias: false },
    ...(declaration.aliases ?? []).map(path => ({ ...declaration, path, isAlias: true })),
  ])

type Write = (schema: TSchema) => JsonSchema

function operationOf(route: Described, write: Write) {
  const { id, summary, description, access, body, mayOmitBody, isForm, isAlias, path } = route
  const parameters = parametersOf(route, write)
  return {
    operationId: isAlias ? `${id}Alias` : id,
    summary,
    ...(description && { description }),
    ...(isAlias && { deprecated: true }),
    tags: [tagOf(path)],
    security: access.security,
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: !mayOmitBody,
        content: isForm ? form(body, write) : json(body, write),
      },
    }),
    responses: responsesOf(route, write),
  }
}

function parametersOf({ path, query = [], access }: Described, write: Write) {
  const of = (where: string, name: string, schema: TSchema, required: boolean) => {
    const { description, ...rest } = write(schema)
    return {
      name,
      in: where,
      required,
      ...(description !== undefined && { description }),
      schema: rest,
      ...(required && { example: exampleOf(schema, name) }),
    }
  }
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) =>
    of("path", name, IN_PATH[name] ?? Id, true),
  )
  const inQuery = query.flatMap(part => {
    const required = part === Page ? [] : (part.required ?? []) // it has defaults
    return Object.entries(part.properties).map(([name, schema]) =>
      of("query", name, schema, required.includes(name)),
    )
  })
  const workspace = access.choosesWorkspace ? [of("header", "X-Workspace-Id", Id, false)] : []
  return [...inPath, ...inQuery, ...workspace]
}

/** The replies of a route. Its own sentences replace the common ones. */
function responsesOf(route: Described, write: Write) {
  const { answers, access, path, method, changesProgram, isForm, texts = [] } = route
  const isWrite = method !== "GET"
  const takesCookie = access.security.some(scheme => "sessionCookie" in scheme)
  const refused = new Set([
    ...ALWAYS,
    ...access.refused,
    ...(isWrite ? [413] : []),
    ...(isWrite && takesCookie ? [403] : []),
    ...(changesProgram ? [409] : []),
    ...(path.includes(":") || access.choosesWorkspace ? [404] : []),
    ...Object.keys(answers).map(Number),
  ])
  const all = [...refused].filter(status => answers[status] !== null).sort((a, b) => a - b)
  return Object.fromEntries(
    all.map(status => {
      const response = responseOf(status, answers[status], texts, write)
      return [
        `${status}`,
        isForm && status >= 400 ? orPage(status, answers[status], write) : response,
      ]
    }),
  )
}

function responseOf(
  status: number,
  declared: TSchema | string | null | undefined,
  texts: string[],
  write: Write,
) {
  const { name } = REFUSALS[status] ?? {}
  if (!declared) return { $ref: `#/components/responses/${name}` }
  if (typeof declared === "string") {
    return status < 400 ? withHeaders(status, declared, {}) : refusal(declared, status, write)
  }
  const asText = texts.map(type => [type, { schema: { type: "string" } }])
  const content = declared.type === "string" ? {} : json(declared, write)
  const sentence =
    declared.description ??
    REFUSALS[status]?.description ??
    (status === 201 ? "Created." : "Success.")
  return withHeaders(status, sentence, { ...content, ...Object.fromEntries(asText) })
}

const refusal = (description: string, status: number, write: Write, example?: string) =>
  withHeaders(status, description, {
    [JSON_TYPE]: { schema: write(ErrorBody), example: { error: example ?? description } },
  })

function withHeaders(status: number, description: string, content: object) {
  const named = ["X-Request-Id", ...(status === 429 || status === 503 ? ["Retry-After"] : [])]
  const headers = Object.fromEntries(
    named.map(name => [name, { $ref: `#/components/headers/${name}` }]),
  )
  const hasContent = Object.keys(content).length > 0
  return { description, headers, ...(hasContent && { content }) }
}

/** The refusal of a form, in JSON or as a page. */
const orPage = (status: number, declared: TSchema | string | null | undefined, write: Write) => {
  const sentence = typeof declared === "string" ? declared : REFUSALS[status]!.description
  const response = refusal(sentence, status, write)
  return {
    ...response,
    content: { ...response.content, "text/html": { schema: { type: "string" } } },
  }
}

const form = (schema: TSchema, write: Write) => ({
  "application/x-www-form-urlencoded": { schema: write(schema), example: exampleOf(schema) },
})

const json = (schema: TSchema, write: Write) => ({
  [JSON_TYPE]: { schema: write(schema), example: exampleOf(schema) },
})
