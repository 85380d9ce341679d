import { type Static, Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { Id, Nullable, Time } from "../../../lib/fields"

/** The terms of a program in force. Version 0: it never had any; an empty text: it has none now. */
export const Terms = Type.Object({
  version: Type.Integer(),
  text: Type.String(),
  created_at: Nullable(Time), // of this version; null: version 0
})

export type Terms = Static<typeof Terms>

/** The body of PUT …/terms. An empty text ends the terms. */
export const NewTerms = Type.Object({
  text: Type.RegExp(/^[\s\S]{0,50000}$/u, {
    description: "a string of at most 50,000 characters",
  }),
})

/** The terms of a program in force. Faults: none. */
export const showTerms = operation("identity.terms.show", {
  request: Type.Object({ program_id: Id }),
  reply: Terms,
})

/**
 * Replaces the terms of a program by a new version, unless the text stays the same. Earlier
 * versions are kept. Faults: conflict (archived).
 */
export const updateTerms = operation("identity.terms.update", {
  request: Type.Object({ program_id: Id, terms: NewTerms }),
  reply: Terms,
})
