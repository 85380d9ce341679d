import { Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { StoredBranding } from "../branding/contract"
import { Program } from "../programs/contract"
import { Terms } from "../terms/contract"

/**
 * A published program by its slug, with its terms in force and its branding. Faults: missing (also if
 * it is archived, or was never published).
 */
export const findPublicProgram = operation("identity.public_program.find", {
  request: Type.Object({ slug: Type.String() }),
  reply: Type.Object({ program: Program, terms: Terms, branding: StoredBranding }),
})
