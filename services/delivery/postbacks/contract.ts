import { type Static, Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { Id, ListOf, Nullable, OneOf, Page, Time } from "../../../lib/fields"
import { DIALECTS } from "./aliases"
import { POSTBACK_EVENTS } from "./postback-values"

export { POSTBACK_VOCABULARY } from "./vocabulary"

const TEMPLATE_MAX_CHARACTERS = 8_192

const Url = Type.String({
  maxLength: 2_048,
  description: "an https URL of at most 2,048 characters, with macros in its path and query",
})
const Body = Type.Object({
  type: OneOf("form", "json"),
  template: Type.String({
    maxLength: TEMPLATE_MAX_CHARACTERS,
    description: "a string of at most 8,192 characters, with macros",
  }),
})
export const PostbackEventName = OneOf(...POSTBACK_EVENTS)
const Events = Type.Array(PostbackEventName, {
  minItems: 1,
  maxItems: 100,
  description: `a list with at least one of ${PostbackEventName.description}`,
})
const Status = OneOf("enabled", "disabled")

/** The body of POST …/postbacks (behaviour 12.5.1). */
export const NewPostback = Type.Object({
  url: Url,
  method: Type.Optional(OneOf("GET", "POST")), // absent: GET
  body: Type.Optional(Nullable(Body)), // absent or null: the request has none
  events: Events,
  dialect: Type.Optional(OneOf(...DIALECTS)), // absent: tributary
  status: Type.Optional(Status), // absent: enabled
})

/** The body of PUT …/postbacks/:postbackId: absent fields stay unchanged. */
export const PostbackChanges = Type.Partial(NewPostback)

const OfProgram = Type.Object({
  program_id: Type.Optional(Nullable(Id)), // absent or null: every program of the partner
})

/** The body of POST /api/partner/postbacks. */
export const NewOwnPostback = Type.Composite([NewPostback, OfProgram])
export type NewOwnPostback = Static<typeof NewOwnPostback>

/** The body of PUT /api/partner/postbacks/:postbackId: absent fields stay unchanged. */
export const OwnPostbackChanges = Type.Partial(NewOwnPostback)

/** A postback as the API shows it. */
export const Postback = Type.Object({
  id: Id,
  program_id: Nullable(Id), // null: every program of the partner whose own it is
  url: Type.String(),
  method: OneOf("GET", "POST"),
  body: Nullable(Body),
  events: Type.Array(PostbackEventName),
  dialect: OneOf(...DIALECTS),
  status: Status,
  created_at: Time,
})

export type Postback = Static<typeof Postback>

/**
 * Whose postbacks: a partner's own, of its account; or those that an advertiser set up for a partner
 * of a program, or for all of them (`partner_id` null).
 */
export const PostbackOwner = Type.Union([
  Type.Object({ account_id: Id }),
  Type.Object({ workspace_id: Id, program_id: Id, partner_id: Nullable(Id) }),
])
export type PostbackOwner = Static<typeof PostbackOwner>

/** A postback of this owner. Those of others are missing. */
export const PostbackKey = Type.Object({ owner: PostbackOwner, postback_id: Id })
export type PostbackKey = Static<typeof PostbackKey>

/**
 * Creates a postback. `program_id` counts for a partner's own only. Faults: invalid (the template or
 * where it leads is refused, or the partner has not joined the program), conflict (the owner has 20).
 */
export const createPostback = operation("delivery.postback.create", {
  request: Type.Object({ owner: PostbackOwner, postback: NewOwnPostback }),
  reply: Postback,
})

/** The postbacks of an owner, by id. Faults: none. */
export const listPostbacks = operation("delivery.postback.list", {
  request: Type.Object({ owner: PostbackOwner, page: Page }),
  reply: ListOf(Postback),
})

/** Faults: missing. */
export const showPostback = operation("delivery.postback.show", {
  request: PostbackKey,
  reply: Postback,
})

/**
 * Changes a postback, effective for each request that starts after the reply. Faults: missing, and
 * invalid as in createPostback.
 */
export const updatePostback = operation("delivery.postback.update", {
  request: Type.Composite([PostbackKey, Type.Object({ changes: OwnPostbackChanges })]),
  reply: Postback,
})

/**
 * Deletes a postback. No request starts after the reply, which shows it for the last time.
 * Faults: missing.
 */
export const deletePostback = operation("delivery.postback.delete", {
  request: PostbackKey,
  reply: Postback,
})
