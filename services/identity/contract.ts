import { type Static, Type } from "@sinclair/typebox"
import { operation } from "../../lib/bus/contract"
import { Email, Id, ListOf, Nullable, Page, Slice, Time, Title } from "../../lib/fields"
import { healthOf } from "../../lib/health"
import { ActorKind } from "../../lib/record-change"
import { Policy } from "../commissions/contract"

const Session = Type.Object({ kind: Type.Literal("session"), session_id: Id, user_id: Id })

const Role = Type.Union(
  [Type.Literal("owner"), Type.Literal("admin"), Type.Literal("analyst"), Type.Literal("billing")],
  { description: "owner, admin, analyst or billing" },
)
export type Role = Static<typeof Role>

const SCOPE = `one of *, program:list, program:read, program:create, program:update, \
program:delete, program:go_live, program:regenerate-token and dashboard:view`

/** What a Management API key may be given (specification 5.4). */
const Scope = Type.Union(
  [
    Type.Literal("*"),
    Type.Literal("program:list"),
    Type.Literal("program:read"),
    Type.Literal("program:create"),
    Type.Literal("program:update"),
    Type.Literal("program:delete"),
    Type.Literal("program:go_live"),
    Type.Literal("program:regenerate-token"),
    Type.Literal("dashboard:view"),
  ],
  { description: `a list in which each scope is ${SCOPE}` },
)
export type Scope = Static<typeof Scope>

/** The programs that a key is limited to. Null: it is not. */
const ProgramIds = Nullable(Type.Array(Id))

/** Whoever calls with a credential that is valid now. */
export const Caller = Type.Union([
  Session,
  Type.Object({
    kind: Type.Literal("key"),
    key_id: Id,
    workspace_id: Id,
    role: Role, // of who gave the key, which may do no more
    scopes: Type.Array(Scope),
    program_ids: ProgramIds,
  }),
])
export type Caller = Static<typeof Caller>
export type Session = Static<typeof Session>

/** What may be done to a program or a workspace (specification 5.4, contract 2). */
export const Action = Type.Union([
  Type.Literal("program:list"),
  Type.Literal("program:read"),
  Type.Literal("program:create"),
  Type.Literal("program:update"),
  Type.Literal("program:delete"),
  Type.Literal("program:go_live"),
  Type.Literal("program:regenerate-token"),
  Type.Literal("dashboard:view"),
  Type.Literal("tracking:list"), // the events; sessions only
  Type.Literal("tracking:read"), // the integration status; sessions only
  Type.Literal("performance:read"), // any active member; sessions only
  Type.Literal("commission:read"),
  Type.Literal("commission:settle"), // approve, reject, mark as paid
  Type.Literal("api_key:manage"),
  Type.Literal("member:list"), // sessions only
  Type.Literal("member:manage"), // invite and change; sessions only
  Type.Literal("audit_log:read"), // sessions only
])
export type Action = Static<typeof Action>

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

/** A program as it is shown (contract 3). */
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
  api_token_masked: Type.String(),
  published_at: Nullable(Time),
  created_at: Time,
  updated_at: Time,
})
export type Program = Static<typeof Program>

/**
 * The program of a tracking token, by the token's SHA-256 (specification 5.2, 5.3).
 * Faults: unauthorized (no program that is not archived has it).
 */
export const findTrackingProgram = operation("identity.tracking_token.find", {
  request: Type.Object({ token_hash: Type.String() }),
  reply: Type.Object({ program_id: Id }),
})

/** What somebody shows to be recognized: the SHA-256 of a session's token or of a key. */
const Credential = Type.Object({
  kind: Type.Union([Type.Literal("session"), Type.Literal("key")]),
  token_hash: Type.String(),
})
export type Credential = Static<typeof Credential>

/** Who a session or a key is. Faults: unauthorized (unknown, ended, expired). */
export const findCaller = operation("identity.caller.find", { request: Credential, reply: Caller })

/**
 * Whether the caller may do this to a program; answers the program as it is now.
 * `conceals`: another workspace's program is missing; false: it is forbidden (contract 2: events,
 * performance and status). Faults: missing, forbidden.
 */
export const permitProgram = operation("identity.program.permit", {
  request: Type.Object({
    caller: Caller,
    action: Action,
    program_id: Id,
    conceals: Type.Boolean(),
  }),
  reply: Program,
})

/**
 * Both in one question, which most calls of the dashboard begin with: who shows a credential, and
 * the program, if they may do this to it. `program_id` null: the path names what no program could
 * be. Faults: unauthorized, missing, forbidden.
 */
export const admitToProgram = operation("identity.program.admit", {
  request: Type.Object({
    credential: Credential,
    action: Action,
    program_id: Nullable(Id),
    conceals: Type.Boolean(),
  }),
  reply: Type.Object({ caller: Caller, program: Program }),
})

/**
 * Whether the caller may do this in a workspace: the named one, else a session's oldest active
 * membership, or a key's own. `conceals`: to a suspended member it is missing, not forbidden.
 * Faults: missing (unknown or foreign), forbidden.
 */
export const permitWorkspace = operation("identity.workspace.permit", {
  request: Type.Object({
    caller: Caller,
    action: Action,
    workspace_id: Nullable(Id),
    conceals: Type.Boolean(),
  }),
  reply: Type.Object({ workspace_id: Id }),
})

// Users and their sessions (contract 2).

/** As somebody shows it who has one. */
const KnownPassword = Type.RegExp(/^[\s\S]{0,256}$/u, {
  description: "a text of at most 256 characters",
})

/** The body of POST /api/auth/sign-up. */
export const SignUp = Type.Object({
  email: Email,
  password: Type.RegExp(/^[\s\S]{10,256}$/u, {
    description: "a text of 10 to 256 characters",
  }),
  name: Title,
  workspace_name: Type.Optional(Title), // made from `name`
})

/** The body of POST /api/auth/sign-in. */
export const SignIn = Type.Object({
  email: Type.RegExp(/^[\s\S]{0,320}$/u, { description: "an e-mail address" }),
  password: KnownPassword,
})

const User = Type.Object({ id: Id, email: Type.String(), name: Type.String() })
const Workspace = Type.Object({ id: Id, name: Type.String() })

/** A session that has begun. Its token is told here and never again. */
const SignedIn = Type.Object({
  user: User,
  workspace: Nullable(Workspace), // the oldest active membership's; null: there is none
  token: Type.String(),
  expires_at: Time, // unless it is used before
})

/** Makes a user and a workspace that the user owns. Faults: conflict (the address is taken). */
export const signUp = operation("identity.user.sign_up", { request: SignUp, reply: SignedIn })

/** Faults: unauthorized, the same and after the same work for a wrong address or password. */
export const signIn = operation("identity.user.sign_in", { request: SignIn, reply: SignedIn })

/** Ends a session: from the reply on it is refused everywhere. Safe to repeat. Faults: none. */
export const signOut = operation("identity.session.end", {
  request: Type.Object({ session_id: Id }),
  reply: Type.Object({}),
})

/** Who is signed in, and where a member. `partner` null: no partner account is bound. */
export const showSession = operation("identity.session.show", {
  request: Type.Object({ user_id: Id }),
  reply: Type.Object({
    user: User,
    memberships: Type.Array(
      Type.Object({ workspace: Workspace, role: Type.String(), status: Type.String() }),
    ),
    partner: Nullable(Type.Object({ id: Id })),
  }),
})

// Programs (contract 3).

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
  commission: Policy, // of the Default group
  stripe_signing_secret: Nullable(
    Type.RegExp(/^whsec_[\w+/=-]{16,200}$/, {
      description: "the signing secret of a webhook endpoint at Stripe (whsec_…)",
    }),
  ), // write-only: no reply shows it
}

/** The body of POST /api/advertiser/affiliate-programs. */
export const NewProgram = Type.Object({
  ...Type.Partial(Type.Object(ProgramFields)).properties,
  name: Title,
})
export type NewProgram = Static<typeof NewProgram>

/** The body of PUT …/:id: what is absent stays as it is. */
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
 * Makes a program of a workspace; it appears once tracking and commissions have it too. The token
 * is told here and never again. Faults: invalid, conflict (the slug is taken), unavailable.
 */
export const createProgram = operation("identity.program.create", {
  request: Type.Object({ workspace_id: Id, program: NewProgram }),
  reply: Type.Composite([Program, Type.Object({ api_token: Type.String() })]),
})

/** The programs of a workspace, archived ones too, by id; only these, if given. Faults: none. */
export const listPrograms = operation("identity.program.list", {
  request: Type.Composite([Type.Object({ workspace_id: Id, program_ids: ProgramIds }), Page]),
  reply: ListOf(Program),
})

/**
 * Changes all the given fields of a program or none; the change holds everywhere from the reply
 * on. Faults: invalid, conflict (archived, the slug is taken, the currency is fixed), and
 * unavailable: it comes about later or not at all.
 */
export const updateProgram = operation("identity.program.update", {
  request: Type.Object({ program_id: Id, changes: ProgramChanges }),
  reply: Program,
})

/** Ends a program for good: its token is refused, its books are kept. Safe to repeat. */
export const archiveProgram = operation("identity.program.archive", {
  request: Type.Object({ program_id: Id }),
  reply: Program,
})

/**
 * Publishes a program to the marketplace; `published_at` stays what it was the first time.
 * Faults: invalid (names what is missing), conflict (archived).
 */
export const publishProgram = operation("identity.program.publish", {
  request: Type.Object({ program_id: Id }),
  reply: Program,
})

/** Gives a program a new token; the old one is refused at once (5.3). Faults: conflict (archived). */
export const regenerateToken = operation("identity.tracking_token.regenerate", {
  request: Type.Object({ program_id: Id }),
  reply: Type.Object({ api_token: Type.String(), api_token_masked: Type.String() }),
})

/**
 * Whether Stripe has signed this for a program: `payload` is the raw body in base64, `signature`
 * the header Stripe-Signature. It is asked, so that the signing secret never leaves identity.
 * Faults: missing (no such program, archived, or without a signing secret), invalid (the
 * signature is not of this body and secret, or older than five minutes).
 */
export const verifyStripeWebhook = operation("identity.stripe_webhook.verify", {
  request: Type.Object({ program_id: Id, payload: Type.String(), signature: Type.String() }),
  reply: Type.Object({}),
})

// Management API keys (specification 2.8, contract 2).

const ProgramScope = Nullable(
  Type.Array(
    Type.Union([Type.String({ pattern: "^[1-9][0-9]{0,14}$" }), Id], {
      description: "a list of ids of programs, or null",
    }),
    { maxItems: 1_000, description: "a list of at most 1,000 ids of programs" },
  ),
)
const Scopes = Type.Array(Scope, { maxItems: 100, description: Scope.description })

/** The body of POST /api/advertiser/api-keys. */
export const NewKey = Type.Object({
  name: Title,
  scopes: Type.Optional(Scopes), // ["*"]
  program_scope: Type.Optional(ProgramScope), // null: every program
  expires_at: Type.Optional(
    Nullable(Type.String({ format: "instant", description: "a time like 2026-01-31T23:59:59Z" })),
  ),
})

/** The body of PUT …/:id: what is absent stays as it is. */
export const KeyChanges = Type.Object({
  name: Type.Optional(Title),
  scopes: Type.Optional(Scopes),
  program_scope: Type.Optional(ProgramScope),
})

/** A key as it is shown. After `expires_at` it is refused, and its status says nothing of it. */
export const Key = Type.Object({
  id: Id,
  name: Type.String(),
  prefix: Type.String(),
  key_masked: Type.String(),
  scopes: Type.Array(Scope),
  program_scope: Nullable(Type.Array(Type.String())), // ids, as texts (specification 2.8)
  expires_at: Nullable(Time),
  status: Type.Union([Type.Literal("active"), Type.Literal("revoked")]),
  created_at: Time,
  last_used_at: Nullable(Time), // to the minute
})
export type Key = Static<typeof Key>

/**
 * Makes a key of a workspace, which may do no more than whoever makes it. The key is told here
 * and never again. Faults: forbidden, invalid (a foreign program, an expires_at in the past).
 */
export const createKey = operation("identity.key.create", {
  request: Type.Object({ user_id: Id, workspace_id: Id, key: NewKey }),
  reply: Type.Composite([Key, Type.Object({ key: Type.String() })]),
})

/** The keys of a workspace by id, of those programs only if any are given. Faults: none. */
export const listKeys = operation("identity.key.list", {
  request: Type.Object({ workspace_id: Id, program_ids: ProgramIds, page: Page }),
  reply: ListOf(Key),
})

/** Whether the caller may change this key. Faults: missing, forbidden (also for a wider key). */
export const permitKey = operation("identity.key.permit", {
  request: Type.Object({ caller: Caller, key_id: Id }),
  reply: Key,
})

/**
 * Changes a key; the change holds from the reply on. Faults: missing, forbidden (also to give more
 * programs than the caller has), conflict (revoked or expired), invalid (a foreign program).
 */
export const updateKey = operation("identity.key.update", {
  request: Type.Object({ caller: Caller, key_id: Id, changes: KeyChanges }),
  reply: Key,
})

/** Ends a key: it is refused from the reply on. Safe to repeat. Faults: missing, forbidden. */
export const revokeKey = operation("identity.key.revoke", {
  request: Type.Object({ caller: Caller, key_id: Id }),
  reply: Key,
})

// Members of a workspace (contract 2).

/** The body of POST /api/workspaces/:id/invitations. */
export const NewInvitation = Type.Object({ email: Email, role: Role })

/** The body of PUT /api/workspaces/:id/members/:userId. */
export const MemberChanges = Type.Object({
  role: Type.Optional(Role),
  status: Type.Optional(
    Type.Union([Type.Literal("active"), Type.Literal("suspended")], {
      description: "active or suspended",
    }),
  ),
})

export const Member = Type.Object({
  user_id: Id,
  email: Type.String(),
  name: Type.String(),
  role: Role,
  status: Type.Union([Type.Literal("active"), Type.Literal("suspended")]),
})
export type Member = Static<typeof Member>

/**
 * Invites somebody; an open invitation of the same address is replaced. The token is told here and
 * never again. Faults: forbidden (only an owner invites an owner), conflict (a member already).
 */
export const inviteMember = operation("identity.member.invite", {
  request: Type.Object({ user_id: Id, workspace_id: Id, invitation: NewInvitation }),
  reply: Type.Object({
    id: Id,
    email: Type.String(),
    role: Role,
    token: Type.String(),
    expires_at: Time,
  }),
})

/** The members of a workspace, suspended ones too, by user_id. Faults: none. */
export const listMembers = operation("identity.member.list", {
  request: Type.Object({ workspace_id: Id, page: Page }),
  reply: ListOf(Member),
})

const NamedMember = {
  user_id: Id, // who is changed
  workspace_id: Id,
  changed_by: Id, // a user as well
}

/** Whether a member may be changed by another. Faults: missing, forbidden (owners by owners). */
export const permitMember = operation("identity.member.permit", {
  request: Type.Object(NamedMember),
  reply: Member,
})

/**
 * Changes a member; the change holds from the reply on. Faults: missing, forbidden (to touch or
 * make an owner), conflict (no active owner would remain).
 */
export const updateMember = operation("identity.member.update", {
  request: Type.Object({ ...NamedMember, changes: MemberChanges }),
  reply: Member,
})

/** Lets the person behind a partner have an account. The token is told here and never again.
 * Faults: missing, conflict (removed, or has an account). */
export const invitePartner = operation("identity.partner.invite", {
  request: Type.Object({ program_id: Id, partner_id: Id }),
  reply: Type.Object({ partner_id: Id, token: Type.String(), expires_at: Time }),
})

/** The partner account of a user, for what partners may do. Faults: forbidden (there is none). */
export const permitPartner = operation("identity.partner.permit", {
  request: Type.Object({ user_id: Id }),
  reply: Type.Object({ account_id: Id }),
})

/** The body of POST /api/auth/accept-invitation. */
export const Acceptance = Type.Object({
  token: Type.String({ maxLength: 255, description: "an invitation's token" }),
  password: KnownPassword, // of an account that there is, or of a new one
  name: Type.Optional(Title), // of a new account; made from its address
  email: Type.Optional(Email), // of a partner's account; the one that the program knows
})

/** The address whose password accepting asks for. Faults: invalid (as acceptInvitation). */
export const findInvitee = operation("identity.invitation.find_invitee", {
  request: Type.Pick(Acceptance, ["token", "email"]),
  reply: Type.Object({ email: Type.String() }),
})

/**
 * Accepts an invitation, of a workspace or of a program to its partner, and signs in. An account
 * that exists gives its password; else one is made. The token is used up by it.
 * Faults: invalid (no open invitation has this token, no password for an account), unauthorized
 * (the password is wrong), conflict (a member already, an account was made meanwhile).
 */
export const acceptInvitation = operation("identity.invitation.accept", {
  request: Acceptance,
  reply: SignedIn,
})

// The audit log.

/** A change that came about. `details` are the fields that changed, as they were then. */
export const AuditEntry = Type.Object({
  id: Id,
  at: Time,
  actor_kind: ActorKind,
  actor_id: Nullable(Id), // of the user or the key
  actor_name: Nullable(Type.String()), // as it is now
  actor_address: Nullable(Type.String()), // truncated
  action: Type.String(),
  subject_type: Type.String(),
  subject_id: Id,
  program_id: Nullable(Id),
  details: Type.Unknown(),
  request_id: Type.String(),
})
export type AuditEntry = Static<typeof AuditEntry>

/**
 * Who has changed what in a workspace, newest first: all that was answered before this was asked,
 * while `applied_until` is null; else what tracking or commissions wrote later may be missing.
 * Faults: none.
 */
export const listAuditEntries = operation("identity.audit_entry.list", {
  request: Type.Object({ workspace_id: Id, slice: Slice }),
  reply: Type.Composite([ListOf(AuditEntry), Type.Object({ applied_until: Nullable(Time) })]),
})

export const showHealth = healthOf("identity")
