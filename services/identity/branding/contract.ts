import { type Static, Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { Id, Nullable } from "../../../lib/fields"

/** How a program looks to its partners. Null: nothing was chosen. */
export const StoredBranding = Type.Object({
  color: Nullable(Type.String()), // like #0a5ea8; white text on it is readable
  welcome: Nullable(Type.String()),
  logo_hash: Nullable(Type.String()), // of the logo that findLogo returns
})

export type StoredBranding = Static<typeof StoredBranding>

/** The body of PUT …/branding: absent fields stay unchanged, null removes. */
export const BrandingChanges = Type.Object({
  color: Type.Optional(
    Nullable(Type.RegExp(/^#[0-9a-f]{6}$/i, { description: "a color like #0a5ea8" })),
  ),
  welcome: Type.Optional(
    Nullable(
      Type.RegExp(/^[\s\S]{1,2000}$/u, { description: "a string of 1 to 2,000 characters" }),
    ),
  ),
  logo: Type.Optional(
    Nullable(
      Type.String({
        minLength: 1,
        maxLength: 349_528,
        description: "a PNG, WebP or JPEG of at most 256 KiB, in base64",
      }),
    ),
  ),
})

export type BrandingChanges = Static<typeof BrandingChanges>

/** The branding of a program. Faults: none. */
export const showBranding = operation("identity.branding.show", {
  request: Type.Object({ program_id: Id }),
  reply: StoredBranding,
})

/**
 * Changes the branding of a program. Faults: invalid (white text on the color has a contrast below
 * 4.5, and the message names the nearest color that passes; or the logo is no image of these kinds),
 * conflict (archived).
 */
export const updateBranding = operation("identity.branding.update", {
  request: Type.Object({ program_id: Id, changes: BrandingChanges }),
  reply: StoredBranding,
})

/** A logo by its hash, as WebP in base64. Faults: missing. */
export const findLogo = operation("identity.logo.find", {
  request: Type.Object({ logo_hash: Type.String() }),
  reply: Type.Object({ webp: Type.String() }),
})
