import { type Static, Type } from "@sinclair/typebox"
import { StoredBranding } from "../../services/identity/contract"

const { color, welcome } = StoredBranding.properties

/** A branding as the API shows it: `logo` is the path of the logo. */
export const Branding = Type.Object({ color, welcome, logo: StoredBranding.properties.logo_hash })

export type Branding = Static<typeof Branding>

export const brandingView = ({ color, welcome, logo_hash }: StoredBranding): Branding => ({
  color,
  welcome,
  logo: logo_hash && `/api/public/logos/${logo_hash}`,
})
