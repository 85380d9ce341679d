import { PART_NAMES, type Part, SERVICE_NAMES } from "../part"

export const NAMESPACE = "tributary"
export const SECRET = "tributary" // made by the operator; nothing that is checked in holds one
export const HTTP_PORT = 3_000
export const METRICS_PORT = 9_400

export type Server = "postgres" | "nats" | "valkey"
export type Pod = Part | "migrate" | Server

/** Who opens a connection to whom. Nothing else gets through. */
export const CONNECTIONS: [from: Pod[], to: Server][] = [
  [PART_NAMES, "nats"],
  [[...SERVICE_NAMES, "migrate"], "postgres"],
  [["gateway"], "valkey"],
]
export const PORT_OF: Record<Server, number> = { postgres: 5_432, nats: 4_222, valkey: 6_379 }

/**
 * What a part was measured to need: CPU µs per click (bench/speed.md, 512 connections), and the
 * most memory in MB that it was ever seen to hold. docs/operations.md tells operators the same.
 */
export const MEASURED: Record<Part, { cpu_us_per_click: number; memory_mb_max: number }> = {
  gateway: { cpu_us_per_click: 76, memory_mb_max: 139 },
  tracking: { cpu_us_per_click: 60, memory_mb_max: 201 },
  reporting: { cpu_us_per_click: 16, memory_mb_max: 299 },
  commissions: { cpu_us_per_click: 2, memory_mb_max: 110 },
  identity: { cpu_us_per_click: 1, memory_mb_max: 110 },
}

/** How large a Tributary is, and where it keeps what. */
export type Overlay = {
  name: string
  host: string // of the one URL that everybody calls
  clicks_per_second: number // that one replica is asked to carry before another joins it
  replicas: Record<Part, [least: number, most: number]>
  is_spread: boolean // over zones, of which none may have two more than another
  servers: "own" | "clusters" // one PostgreSQL and one NATS, or CloudNativePG's and the chart's
}

const SMALL: Overlay = {
  name: "small",
  host: "tributary.example.com",
  clicks_per_second: 500,
  replicas: {
    gateway: [1, 3],
    tracking: [1, 1],
    reporting: [1, 2],
    commissions: [1, 2],
    identity: [1, 2],
  },
  is_spread: false,
  servers: "own",
}

const THREE_ZONES: Overlay = {
  name: "three-zones",
  host: "tributary.example.com",
  clicks_per_second: 3_000,
  replicas: {
    gateway: [3, 12],
    tracking: [3, 3], // more do not take more clicks on one database
    reporting: [3, 6],
    commissions: [3, 6],
    identity: [3, 6],
  },
  is_spread: true,
  servers: "clusters",
}

export const OVERLAYS = [SMALL, THREE_ZONES]
