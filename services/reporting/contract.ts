import { healthOf } from "../../lib/health"

export const showHealth = healthOf("reporting")

export * from "./books/contract"
export * from "./breakdown/contract"
export * from "./events/contract"
export * from "./freshness/contract"
export * from "./performance/contract"
