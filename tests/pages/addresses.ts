import { SCREENS, type ScreenName } from "../../web/screens"
import type { Area, Screen } from "../../web/screens/screen"
import type { newEmptyScene, Scene } from "./scenes"

export const names = Object.keys(SCREENS) as ScreenName[]
const screenOf = (name: ScreenName): Screen => SCREENS[name]

type AnyScene = Awaited<ReturnType<typeof newEmptyScene>> & Partial<Scene>

/** Who sees a screen: its advertiser or its partner. */
export const sessionFor = (name: ScreenName, scene: AnyScene): string =>
  screenOf(name).area === "partner" ? scene.partner_session : scene.session

const postbackOf = (name: ScreenName, scene: AnyScene) =>
  ({
    "partner/postback": scene.own_postback_id,
    "advertiser/postback": scene.postback_id,
    "advertiser/partner-postback": scene.partner_postback_id,
  })[name as "partner/postback"]

/** The address of a screen in a scene. What the scene does not have is at no address: 0. */
export function addressOf(name: ScreenName, scene: AnyScene): string {
  const { path, area } = screenOf(name)
  const ids: Record<Area, number> = {
    program: scene.program_id,
    partner: scene.program_id,
    workspace: path.startsWith("/programs") ? scene.program_id : scene.workspace_id,
    account: scene.user_id,
  }
  const values: Record<string, string | number> = {
    id: ids[area],
    programId: scene.program_id,
    partnerId: scene.partner_id,
    linkId: scene.link_id,
    groupId: scene.group_id ?? 0,
    saleId: scene.sale_id ?? 0,
    commissionId: scene.commission_id ?? 0,
    webhookId: scene.webhook_id ?? 0,
    postbackId: postbackOf(name, scene) ?? "new",
    customerKey: scene.customer_key ?? "none",
    key: scene.customer_key ?? "none",
  }
  return path.replace(/:(\w+)\??/g, (_, param: string) => {
    const value = values[param]
    if (value === undefined) throw new Error(`${path}: say what :${param} is in addresses.ts`)
    return encodeURIComponent(value)
  })
}
