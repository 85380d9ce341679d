import { type TObject, type TSchema, Type } from "@sinclair/typebox"
import type { Scope } from "../../services/identity/contract"
import { UNREAD } from "../http/body"

/** What /openapi.json says of a route beside its path; openapi.ts adds what all routes share. */
export type Description = {
  id: string // the name of the operation, by which programs know it: it stays
  summary: string
  description?: string
  by: Access
  query?: TObject[]
  body?: TSchema
  mayOmitBody?: true
  texts?: string[] // types of answers that are no JSON
  /** By status: a body, or a sentence (of a refusal: beside `{error}`). Null: never answered. */
  answers: Record<number, TSchema | string | null>
}

/** Who may call, as security schemes, and how they may be refused. */
type Access = { security: Record<string, string[]>[]; refused: number[]; choosesWorkspace?: true }

export const ANYBODY: Access = { security: [], refused: [] }
export const TRACKING_TOKEN: Access = { security: [{ trackingToken: [] }], refused: [401] }
export const TOKEN_OR_NONE: Access = { security: [{}, { trackingToken: [] }], refused: [401] }
export const SIGNATURE: Access = { security: [{ stripeSignature: [] }], refused: [] }

const SESSION: Access["security"] = [{ session: [] }, { sessionCookie: [] }]

/** Whoever is signed in. */
export const SIGNED_IN: Access = { security: SESSION, refused: [401] }

/** Whoever is signed in and has the right role, or is a partner. */
export const PERMITTED: Access = { security: SESSION, refused: [401, 403] }

/** A member too, or a Management API key with this scope. */
export const manager = (scope: Scope): Access => ({
  security: [...SESSION, { managementKey: [scope] }],
  refused: [401, 403],
})

/** The same of the workspace that X-Workspace-Id names. */
export const inWorkspace = (access: Access): Access => ({ ...access, choosesWorkspace: true })

/** For a route that reads: nothing but its description. */
export const reads = (description: Description) => ({ detail: description as object })

/** For a route that writes; its body is left to the handler. */
export const writes = (description: Description) => ({ ...UNREAD, ...reads(description) })

/** What is answered where no JSON is (see `texts`). */
export const Text = Type.String()

/** Of what is done there is nothing to tell. */
export const Nothing = Type.Object({ data: Type.Object({}) })

/** A single resource as every endpoint answers it. */
export const One = <Schema extends TSchema>(schema: Schema) => Type.Object({ data: schema })
