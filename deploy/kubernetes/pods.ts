import type { IContainer } from "kubernetes-models/v1/Container"
import type { IPodSpec } from "kubernetes-models/v1/PodSpec"
import packages from "../../package.json"
import type { Part } from "../part"
import { HTTP_PORT, METRICS_PORT, type Overlay, type Pod, SECRET } from "./system"

type Variable = NonNullable<IContainer["env"]>[number]

const IMAGE = `tributary:${packages.version}`

export const labelsOf = (pod: Pod) => ({
  "app.kubernetes.io/name": pod,
  "app.kubernetes.io/part-of": "tributary",
})

/** Returns a pod of the image: read-only, unprivileged, and with only the secrets it needs. */
export const podOf = (
  pod: Part | "migrate",
  overlay: Overlay,
  container: Partial<IContainer>,
): IPodSpec => ({
  serviceAccountName: pod,
  automountServiceAccountToken: false,
  enableServiceLinks: false,
  securityContext: RESTRICTED_POD,
  containers: [
    {
      name: pod,
      image: IMAGE,
      env: [{ name: "SERVICE", value: pod }, ...settingsOf(pod, overlay)],
      securityContext: RESTRICTED,
      ...container,
    },
  ],
})

export const RESTRICTED_POD = {
  runAsNonRoot: true,
  runAsUser: 65_532,
  runAsGroup: 65_532,
  seccompProfile: { type: "RuntimeDefault" as const },
}

export const RESTRICTED = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ["ALL"] },
}

export const secret = (name: string, key: string, of = SECRET): Variable => ({
  name,
  valueFrom: { secretKeyRef: { name: of, key } },
})

function settingsOf(pod: Part | "migrate", { host, ingress, servers }: Overlay): Variable[] {
  const bus = [
    secret("NATS_PASSWORD", `${pod.toUpperCase()}_PASSWORD`),
    { name: "NATS_URL", value: `nats://${pod}:$(NATS_PASSWORD)@nats:4222` },
  ]
  const database =
    servers === "own"
      ? [
          secret("POSTGRES_PASSWORD", "POSTGRES_PASSWORD"),
          {
            name: "DATABASE_URL",
            value: "postgres://tributary:$(POSTGRES_PASSWORD)@postgres:5432/tributary",
          },
        ]
      : [secret("DATABASE_URL", "uri", "postgres-app")] // created and renewed by CloudNativePG

  if (pod === "migrate") return database
  if (pod !== "gateway") {
    const keys =
      pod === "identity" || pod === "tracking" ? [secret("SECRET_KEY", "SECRET_KEY")] : []
    return [...bus, ...database, ...keys]
  }
  return [
    ...bus,
    secret("SECRET_KEY", "GATEWAY_SECRET_KEY"), // its own, to hide callers in Valkey
    secret("VALKEY_PASSWORD", "VALKEY_PASSWORD"),
    { name: "REDIS_URL", value: "redis://:$(VALKEY_PASSWORD)@valkey:6379" },
    { name: "PUBLIC_URL", value: `https://${host}` },
    { name: "TRUSTED_PROXIES", value: ingress },
  ]
}

export const portsOf = (part: Part) => [
  ...(part === "gateway" ? [{ name: "http", containerPort: HTTP_PORT }] : []),
  { name: "metrics", containerPort: METRICS_PORT },
]

/** Probes the gateway on its HTTP port, and services on their metrics port. */
export const probesOf = (part: Part) => {
  const port = part === "gateway" ? "http" : "metrics"
  const isReady = { httpGet: { path: "/readyz", port }, timeoutSeconds: 3 }
  return {
    startupProbe: {
      httpGet: { path: "/readyz", port: "metrics" },
      periodSeconds: 2,
      failureThreshold: 60,
    },
    readinessProbe: { ...isReady, periodSeconds: 5, failureThreshold: 2 },
    livenessProbe: {
      httpGet: { path: "/healthz", port },
      periodSeconds: 10,
      timeoutSeconds: 3,
      failureThreshold: 3,
    },
  }
}
