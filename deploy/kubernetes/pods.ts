import type { IContainer } from "kubernetes-models/v1/Container"
import type { IPodSpec } from "kubernetes-models/v1/PodSpec"
import packages from "../../package.json"
import { type Part, SERVICE_NAMES } from "../part"
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
): IPodSpec => {
  const authority = clusterAuthority(pod, overlay)
  return {
    serviceAccountName: pod,
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    securityContext: RESTRICTED_POD,
    ...(authority && { volumes: authority.volumes }),
    containers: [
      {
        name: pod,
        image: IMAGE,
        env: [{ name: "SERVICE", value: pod }, ...settingsOf(pod, overlay)],
        securityContext: RESTRICTED,
        ...(authority && { volumeMounts: authority.volumeMounts }),
        ...container,
      },
    ],
  }
}

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

/** A variable that is set if the operator's secret has it. */
const optionalSecret = (name: string): Variable => ({
  name,
  valueFrom: { secretKeyRef: { name: SECRET, key: name, optional: true } },
})

/** The services that store sealed secrets. */
const SEALING: (Part | "migrate")[] = ["identity", "tracking", "delivery"]

function settingsOf(pod: Part | "migrate", overlay: Overlay): Variable[] {
  if (pod === "migrate") return [...ownerOf(overlay), ...SERVICE_NAMES.flatMap(loginIn(overlay))]
  const bus = [
    secret("NATS_PASSWORD", `${pod.toUpperCase()}_PASSWORD`),
    { name: "NATS_URL", value: `nats://${pod}:$(NATS_PASSWORD)@nats:4222` },
  ]
  if (pod !== "gateway") {
    const keys = SEALING.includes(pod) ? [secret("SECRET_KEY", "SECRET_KEY")] : []
    const mail = pod === "delivery" ? mailOf(overlay) : []
    return [...bus, ...loginIn(overlay)(pod), ...keys, ...mail]
  }
  return [
    ...bus,
    secret("SECRET_KEY", "GATEWAY_SECRET_KEY"), // its own, to hide callers in Valkey
    secret("VALKEY_PASSWORD", "VALKEY_PASSWORD"),
    { name: "REDIS_URL", value: "redis://:$(VALKEY_PASSWORD)@valkey:6379" },
    publicUrl(overlay),
    { name: "TRUSTED_PROXIES", value: overlay.ingress },
  ]
}

const publicUrl = ({ host }: Overlay) => ({ name: "PUBLIC_URL", value: `https://${host}` })

/** The mail server may be added later: its URL holds a password. */
const mailOf = (overlay: Overlay) => [
  optionalSecret("SMTP_URL"),
  optionalSecret("MAIL_FROM"),
  publicUrl(overlay), // links in mails
]

/** The login of the owner of the schemas. In a cluster its password is CloudNativePG's. */
const ownerOf = (overlay: Overlay): Variable[] => [
  overlay.servers === "own"
    ? secret("POSTGRES_PASSWORD", "POSTGRES_PASSWORD")
    : secret("POSTGRES_PASSWORD", "password", "postgres-app"),
  { name: "DATABASE_URL", value: databaseUrl(overlay, "tributary", "POSTGRES_PASSWORD") },
]

/** Returns how a service logs in as its own role, with the password that the migration gives it. */
const loginIn =
  (overlay: Overlay) =>
  (service: Part): Variable[] => {
    const password = `${service.toUpperCase()}_DATABASE_PASSWORD`
    const value = databaseUrl(overlay, `tributary_${service}`, password)
    return [secret(password, password), { name: `${service.toUpperCase()}_DATABASE_URL`, value }]
  }

const databaseUrl = ({ servers }: Overlay, user: string, password: string) =>
  servers === "own"
    ? `postgres://${user}:$(${password})@postgres:5432/tributary`
    : `postgres://${user}:$(${password})@postgres-rw:5432/tributary` +
      `?sslmode=verify-full&sslrootcert=${CLUSTER_CA}/ca.crt`

const CLUSTER_CA = "/etc/tributary/postgres"

/** Mounts the authority of CloudNativePG's cluster into pods that connect to it. */
function clusterAuthority(pod: Part | "migrate", { servers }: Overlay) {
  if (servers === "own" || pod === "gateway") return null
  const secret = { secretName: "postgres-ca", items: [{ key: "ca.crt", path: "ca.crt" }] }
  return {
    volumes: [{ name: "postgres-ca", secret }],
    volumeMounts: [{ name: "postgres-ca", mountPath: CLUSTER_CA, readOnly: true }],
  }
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
