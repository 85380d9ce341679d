import type { Answer } from "../../client"
import type { Tone } from "../../parts/status"

export type Partner = Answer<"showPartner">["data"]

export const TONES: Record<Partner["status"], Tone> = {
  approved: "good",
  suspended: "warn",
  removed: "plain",
}
