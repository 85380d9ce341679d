import { type Static, Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import {
  Id,
  IdText,
  LinkCode,
  ListOf,
  Name,
  Nullable,
  OneOf,
  Slice,
  Time,
} from "../../../lib/fields"

const WebUrl = Type.String({
  maxLength: 2_048,
  pattern: "^[Hh][Tt][Tt][Pp][Ss]?://[^\\s/?#]+",
  description: "a URL of at most 2,048 characters with http or https",
})

/** The body of POST …/referral-links (behaviour 3.7.1). */
export const NewLink = Type.Object({
  partner_id: Id,
  code: Type.Optional(LinkCode), // absent: generated
  destination_url: Type.Optional(Nullable(WebUrl)),
})

/** The body of PUT …/referral-links/:linkId. Absent fields do not change. */
export const LinkChange = Type.Object({
  status: Type.Optional(OneOf("active", "inactive")),
  destination_url: Type.Optional(Nullable(WebUrl)),
})

/** A referral link. `destination_url` null: the program's. `last_clicked` null: never. */
export const Link = Type.Object({
  id: Id,
  code: Type.String(),
  status: Type.String(),
  destination_url: Nullable(Type.String()),
  clicks: Type.Integer(),
  last_clicked: Nullable(Time),
  partner_id: Id,
  created_at: Time,
})

export type Link = Static<typeof Link>

/**
 * Creates a referral link of a partner.
 * Faults: invalid (no such partner in the program), conflict (the code is taken).
 */
export const createLink = operation("tracking.link.create", {
  request: Type.Object({ program_id: Id, link: NewLink }),
  reply: Link,
})

/**
 * Creates a link for the partner who requests it: at most 50 in a program, to the site of `website_url`.
 * Faults: invalid (another site), conflict (the code is taken, there are 50 links, or the partner is
 * suspended or removed).
 */
export const createPartnerLink = operation("tracking.partner_link.create", {
  request: Type.Object({ program_id: Id, website_url: Nullable(Type.String()), link: NewLink }),
  reply: Link,
})

/** Changes a referral link. Faults: missing. */
export const updateLink = operation("tracking.link.update", {
  request: Type.Object({ program_id: Id, link_id: Id, change: LinkChange }),
  reply: Link,
})

/** The query of GET …/referral-links without its page (behaviour 3.7.3). */
export const LinkQuery = Type.Object({
  partner_id: Type.Optional(IdText),
  status: LinkChange.properties.status,
  search: Type.Optional(Name), // in codes and destinations, in any case
})

/** Which links to list. Absent: all of them. */
export const LinkFilter = Type.Object({
  ...LinkQuery.properties,
  partner_id: Type.Optional(Id),
})
export type LinkFilter = Static<typeof LinkFilter>

/** A slice of the program's referral links, in the order of their ids. Faults: none. */
export const listLinks = operation("tracking.link.list", {
  request: Type.Object({ program_id: Id, filter: Type.Optional(LinkFilter), slice: Slice }),
  reply: ListOf(Link),
})

/** Returns a link, also before a body is validated (404 before 400). Faults: missing. */
export const showLink = operation("tracking.link.show", {
  request: Type.Object({ program_id: Id, link_id: Id }),
  reply: Link,
})

/**
 * Returns the click counts of partners and their links after `after_link_id`, in the order of link
 * ids, as many as fit into a message. `more_after`: the last of these links; null: no more follow.
 * Faults: none.
 */
export const showPartnerLinks = operation("tracking.partner_links.show", {
  request: Type.Object({
    program_id: Id,
    partner_ids: Type.Array(Id),
    after_link_id: Type.Optional(Type.Integer({ minimum: 0 })),
  }),
  reply: Type.Object({
    partners: Type.Array(
      Type.Object({ partner_id: Id, clicks: Type.Integer(), links: Type.Array(Link) }),
    ),
    more_after: Type.Optional(Nullable(Id)), // absent: an older version, which replies once
  }),
})

/** Returns the codes of those of these links that belong to the program. Faults: none. */
export const nameLinks = operation("tracking.link.name", {
  request: Type.Object({ program_id: Id, link_ids: Type.Array(Id) }),
  reply: Type.Object({ links: Type.Array(Type.Object({ link_id: Id, code: Type.String() })) }),
})
