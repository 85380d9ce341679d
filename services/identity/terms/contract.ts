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

/** The terms in force, and the newest version that a partner has accepted. Null: none. */
export const PartnerTerms = Type.Object({
  ...Terms.properties,
  accepted_version: Nullable(Type.Integer()),
  accepted_at: Nullable(Time),
})

/** The terms of a program for one of its partners. Faults: none. */
export const showPartnerTerms = operation("identity.partner_terms.show", {
  request: Type.Object({ program_id: Id, partner_id: Id }),
  reply: PartnerTerms,
})

/** The body of POST …/terms: the version that the partner has read. */
export const AcceptedVersion = Type.Object({ version: Id })

/**
 * Accepts the terms in force for a partner. Safe to repeat. Faults: conflict (another version is in
 * force, there are no terms, or the program is archived).
 */
export const acceptTerms = operation("identity.terms.accept", {
  request: Type.Object({ program_id: Id, partner_id: Id, ...AcceptedVersion.properties }),
  reply: PartnerTerms,
})
