import { call } from "../../../lib/bus/bus"
import {
  BrandingChanges,
  NewTerms,
  showBranding,
  showTerms,
  Terms,
  updateBranding,
  updateTerms,
} from "../../../services/identity/contract"
import { programOfPath } from "../../http/access"
import { One, route } from "../../http/route"
import { Branding, brandingView } from "../../views/branding-view"

const BODY_BYTES_MAX = 384 * 1024 // a logo of 256 KiB in base64, and the other fields

/** How a program looks to its partners, and what they agree to (behaviour 17.9). Sessions only. */
export const branding = [
  route(
    {
      id: "showBranding",
      method: "GET",
      path: "/api/advertiser/affiliate-programs/:id/branding",
      summary: "Show the color, the welcome text and the logo of a program",
      access: programOfPath("program:read"),
      answers: { 200: One(Branding) },
    },
    async ({ program }) => ({
      data: brandingView(await call(showBranding, { program_id: program.id })),
    }),
  ),
  route(
    {
      id: "updateBranding",
      method: "PUT",
      path: "/api/advertiser/affiliate-programs/:id/branding",
      summary: "Change the color, the welcome text or the logo of a program",
      description:
        "`logo` is a PNG, WebP or JPEG of at most 256 KiB in base64. It is encoded again, and the reply has its path.",
      access: programOfPath("program:update"),
      changesProgram: true,
      bodyBytesMax: BODY_BYTES_MAX,
      body: BrandingChanges,
      answers: { 200: One(Branding) },
    },
    async ({ program, body: changes }) => ({
      data: brandingView(await call(updateBranding, { program_id: program.id, changes })),
    }),
  ),
  route(
    {
      id: "showTerms",
      method: "GET",
      path: "/api/advertiser/affiliate-programs/:id/terms",
      summary: "Show the terms of a program",
      access: programOfPath("program:read"),
      answers: { 200: One(Terms) },
    },
    async ({ program }) => ({ data: await call(showTerms, { program_id: program.id }) }),
  ),
  route(
    {
      id: "updateTerms",
      method: "PUT",
      path: "/api/advertiser/affiliate-programs/:id/terms",
      summary: "Replace the terms of a program by a new version",
      access: programOfPath("program:update"),
      changesProgram: true,
      body: NewTerms,
      answers: { 200: One(Terms) },
    },
    async ({ program, body: terms }) => ({
      data: await call(updateTerms, { program_id: program.id, terms }),
    }),
  ),
]
