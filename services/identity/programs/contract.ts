import { type Static, Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { Id, ListOf, Nullable, Page, Time, Title } from "../../../lib/fields"
import { Policy } from "../../commissions/contract"
import { Action, Caller, Credential, ProgramIds } from "../access/contract"

const Status = Type.Union([
  Type.Literal("active"),
  Type.Literal("paused"),
  Type.Literal("archived"),
])

const AttributionModel = Type.Union([Type.Literal("last_click"), Type.Literal("first_click")], {
  description: "last_click or first_click",
})

const LeadAuth = Type.Union([Type.Literal("browser"), Type.Literal("server")], {
  description: "browser or server",
})

const ShareSaleAmount = Type.Boolean({
  description: "true or false: whether partners learn the amount and transaction_id of sales",
})

/** A program as the API shows it (behaviour 3.1). */
export const Program = Type.Object({
  id: Id,
  workspace_id: Id,
  name: Type.String(),
  slug: Type.String(),
  website_url: Nullable(Type.String()),
  status: Status,
  currency: Type.String(),
  attribution_model: AttributionModel,
  cookie_window_days: Type.Integer(),
  lead_auth: LeadAuth,
  share_sale_amount: ShareSaleAmount,
  api_token_masked: Type.String(),
  is_demo: Type.Boolean({
    description: "Whether this is the demo program of npm start, whose history was made up",
  }),
  published_at: Nullable(Time),
  created_at: Time,
  updated_at: Time,
})

export type Program = Static<typeof Program>

/**
 * The program of a tracking token, by the token's SHA-256 (behaviour 2.2.2). `includes_archived`
 * (default false): an archived program has a token too, for refunds (behaviour 3.2.1).
 * Faults: unauthorized (the token is unknown, or its program is archived).
 */
export const findTrackingProgram = operation("identity.tracking_token.find", {
  request: Type.Object({
    token_hash: Type.String(),
    includes_archived: Type.Optional(Type.Boolean()),
  }),
  reply: Type.Object({ program_id: Id }),
})

/**
 * Checks whether the caller may do this to a program, and returns the program.
 * `hides_existence` (default true): a program of another workspace is missing. False: it is
 * forbidden, as for events, performance and status (behaviour 2.10). Faults: missing, forbidden.
 */
export const permitProgram = operation("identity.program.permit", {
  request: Type.Object({
    caller: Caller,
    action: Action,
    program_id: Id,
    hides_existence: Type.Optional(Type.Boolean()),
  }),
  reply: Program,
})

/**
 * Identifies the caller and checks whether they may do this to a program, in the one call that most
 * dashboard requests start with. `program_id` null: the path does not contain a valid id.
 * `hides_existence`: as in permitProgram. Faults: unauthorized, missing, forbidden.
 */
export const admitToProgram = operation("identity.program.admit", {
  request: Type.Object({
    credential: Credential,
    action: Action,
    program_id: Nullable(Id),
    hides_existence: Type.Optional(Type.Boolean()),
  }),
  reply: Type.Object({ caller: Caller, program: Program }),
})

const ProgramFields = {
  name: Title,
  website_url: Nullable(
    Type.String({
      maxLength: 2_048,
      description: "an http or https URL of at most 2,048 characters",
    }),
  ),
  slug: Type.String({
    pattern: "^[a-z0-9]+(-[a-z0-9]+)*$",
    maxLength: 64,
    description: "at most 64 lowercase letters and digits, in words joined by single hyphens",
  }),
  currency: Type.String({ pattern: "^[A-Za-z]{3}$", description: "an ISO 4217 code like USD" }),
  cookie_window_days: Type.Integer({
    minimum: 1,
    maximum: 365,
    description: "an integer from 1 to 365",
  }),
  attribution_model: AttributionModel,
  lead_auth: LeadAuth,
  share_sale_amount: ShareSaleAmount,
  commission: Policy, // of the Default group
  stripe_signing_secret: Nullable(
    Type.RegExp(/^whsec_[\w+/=-]{16,200}$/, {
      description: "the signing secret of a Stripe webhook endpoint (whsec_…)",
    }),
  ), // write-only: no reply shows it
}

/** The body of POST /api/advertiser/affiliate-programs. */
export const NewProgram = Type.Object({
  ...Type.Partial(Type.Object(ProgramFields)).properties,
  name: Title,
})

export type NewProgram = Static<typeof NewProgram>

/** The body of PUT …/:id: absent fields stay unchanged. */
export const ProgramChanges = Type.Partial(
  Type.Object({
    ...ProgramFields,
    status: Type.Union([Type.Literal("active"), Type.Literal("paused")], {
      description: "active or paused",
    }),
  }),
)

export type ProgramChanges = Static<typeof ProgramChanges>

/**
 * Creates a program in a workspace. It appears once tracking and commissions have it too. The token
 * is shown only once. Faults: invalid, conflict (the slug is taken), unavailable.
 */
export const createProgram = operation("identity.program.create", {
  request: Type.Object({ workspace_id: Id, program: NewProgram }),
  reply: Type.Composite([Program, Type.Object({ api_token: Type.String() })]),
})

/**
 * The programs of a workspace by id, archived too, except an archived demo. `program_ids`: only
 * these. Faults: none.
 */
export const listPrograms = operation("identity.program.list", {
  request: Type.Composite([Type.Object({ workspace_id: Id, program_ids: ProgramIds }), Page]),
  reply: ListOf(Program),
})

/** The programs with these ids, of any workspace: for partners, who know theirs. Faults: none. */
export const findPrograms = operation("identity.program.find", {
  request: Type.Object({ program_ids: Type.Array(Id, { maxItems: 100 }) }),
  reply: Type.Object({ programs: Type.Array(Program) }),
})

/**
 * Changes all the given fields of a program or none, effective everywhere from the reply on.
 * Faults: invalid, conflict (archived, the slug is taken, the currency is fixed), unavailable (the
 * change may still take effect).
 */
export const updateProgram = operation("identity.program.update", {
  request: Type.Object({ program_id: Id, changes: ProgramChanges }),
  reply: Program,
})

/** Archives a program for good: its token is good for refunds only, its ledger is kept. Safe to repeat. */
export const archiveProgram = operation("identity.program.archive", {
  request: Type.Object({ program_id: Id }),
  reply: Program,
})

/**
 * Publishes a program to the marketplace. A repeat keeps the first `published_at`.
 * Faults: invalid (names the missing field), conflict (archived).
 */
export const publishProgram = operation("identity.program.publish", {
  request: Type.Object({ program_id: Id }),
  reply: Program,
})

/** Replaces the token and refuses the old one at once (behaviour 3.3.4). Faults: conflict (archived). */
export const regenerateToken = operation("identity.tracking_token.regenerate", {
  request: Type.Object({ program_id: Id }),
  reply: Type.Object({ api_token: Type.String(), api_token_masked: Type.String() }),
})
