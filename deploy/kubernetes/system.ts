import { PART_NAMES, type Part, SERVICE_NAMES } from "../part"

export const NAMESPACE = "tributary"
export const SECRET = "tributary" // created by the operator; no secret is checked in
export const HTTP_PORT = 3_000
export const METRICS_PORT = 9_400

export type Server = "postgres" | "nats" | "valkey"
export type Pod = Part | "migrate" | Server

/** The connections that are allowed between pods. All others are blocked. */
export const CONNECTIONS: [from: Pod[], to: Server][] = [
  [PART_NAMES, "nats"],
  [[...SERVICE_NAMES, "migrate"], "postgres"],
  [["gateway"], "valkey"],
]
export const PORT_OF: Record<Server, number> = { postgres: 5_432, nats: 4_222, valkey: 6_379 }

/** The servers' images. A digest names one image for good; the tag says which version that is. */
export const IMAGES = {
  postgres: "postgres:18.4@sha256:3a82e1f56c8f0f5616a11103ac3d47e632c3938698946a7ad26da0df1334744a",
  postgresCluster:
    "ghcr.io/cloudnative-pg/postgresql:18.4-standard-trixie@sha256:f0cc49632b5cc1e51f65ba03658c89bd31d64ea2672b14843a808a8d281417e1",
  nats: "nats:2.12-alpine@sha256:b270f5e2428354c0335612694d7dd2fb588148e567a5757fdff325ef9c9332e6",
  valkey:
    "valkey/valkey:9-alpine@sha256:ee91f7a174ac4d6a6b0685b3a60e321f0a9dbbb691f9b0e285be2ba1d1be8328",
}

/**
 * Measured needs of each part: CPU µs per click (bench/speed.md, 512 connections), and the highest
 * memory use in MB. docs/operations.md repeats them for operators.
 */
export const MEASURED: Record<Part, { cpu_us_per_click: number; memory_mb_max: number }> = {
  gateway: { cpu_us_per_click: 76, memory_mb_max: 139 },
  tracking: { cpu_us_per_click: 60, memory_mb_max: 201 },
  reporting: { cpu_us_per_click: 16, memory_mb_max: 299 },
  commissions: { cpu_us_per_click: 2, memory_mb_max: 110 },
  identity: { cpu_us_per_click: 1, memory_mb_max: 110 },
  delivery: { cpu_us_per_click: 0, memory_mb_max: 110 }, // idle 56; as commissions for now
}

/** The size of an installation, and its servers. */
export type Overlay = {
  name: string
  host: string // of the public URL
  ingress: string // the name that resolves to the pods of the Ingress: a headless Service
  clicks_per_second: number // that one replica carries before the autoscaler adds another
  replicas: Record<Part, [min: number, max: number]>
  is_spread: boolean // evenly over zones: replicas per zone differ by one at most
  servers: "own" | "clusters" // a single PostgreSQL and NATS, or CloudNativePG and the NATS chart
}

const SMALL: Overlay = {
  name: "small",
  host: "tributary.example.com",
  ingress: "gateway-callers.ingress-nginx.svc",
  clicks_per_second: 500,
  replicas: {
    gateway: [1, 3],
    tracking: [1, 1],
    reporting: [1, 2],
    commissions: [1, 2],
    identity: [1, 2],
    delivery: [1, 2],
  },
  is_spread: false,
  servers: "own",
}

const THREE_ZONES: Overlay = {
  name: "three-zones",
  host: "tributary.example.com",
  ingress: "gateway-callers.ingress-nginx.svc",
  clicks_per_second: 3_000,
  replicas: {
    gateway: [3, 12],
    tracking: [3, 3], // more would not take more clicks: the database is the limit
    reporting: [3, 6],
    commissions: [3, 6],
    identity: [3, 6],
    delivery: [3, 6],
  },
  is_spread: true,
  servers: "clusters",
}

export const OVERLAYS = [SMALL, THREE_ZONES]
