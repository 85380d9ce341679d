import { readFileSync } from "node:fs"
import { join } from "node:path"
import { PrometheusRule } from "@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PrometheusRule"
import { ServiceMonitor } from "@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/ServiceMonitor"
import { Job } from "kubernetes-models/batch/v1/Job"
import { Ingress } from "kubernetes-models/networking.k8s.io/v1/Ingress"
import { Namespace } from "kubernetes-models/v1/Namespace"
import { Service } from "kubernetes-models/v1/Service"
import { ServiceAccount } from "kubernetes-models/v1/ServiceAccount"
import packages from "../../package.json"
import { PART_NAMES } from "../part"
import { networkPolicies } from "./network"
import { partManifests } from "./part"
import { labelsOf, podOf } from "./pods"
import { loadsOf, resourceQuota } from "./quota"
import { natsLoad, natsValues, postgresCluster } from "./references"
import { nats, postgres, valkey } from "./servers"
import { HTTP_PORT, METRICS_PORT, NAMESPACE as namespace, type Overlay } from "./system"

type Document = object
/** Documents by folder, which is applied as a whole, and by file. */
type Folders = Record<string, Record<string, Document[]>>

/**
 * Returns the folders for `kubectl apply -k`, in the order to apply them: servers, migrate, parts,
 * and optionally monitoring.
 */
export async function foldersOf(overlay: Overlay): Promise<Folders> {
  const isOwn = overlay.servers === "own"
  const servers = {
    postgres: isOwn ? postgres() : [postgresCluster()],
    ...(isOwn && { nats: await nats() }),
    valkey: valkey(),
  }
  const migrate = migrationJob(overlay)
  const parts = PART_NAMES.map(name => [name, partManifests(name, overlay)] as const)
  const workloads = [...Object.values(servers), migrate, ...parts.map(([, part]) => part)].flat()
  return {
    servers: {
      namespace: [namespaceDocument],
      quota: [resourceQuota([...loadsOf(workloads), ...(isOwn ? [] : [await natsLoad()])])],
      network: networkPolicies(overlay),
      ...servers,
    },
    migrate: { migrate },
    parts: { ...Object.fromEntries(parts), ingress: ingressOf(overlay) },
    monitoring: { monitoring: monitoring() },
  }
}

/** Returns the values of Helm charts by file. */
export async function chartValues({ servers }: Overlay): Promise<Record<string, Document>> {
  return servers === "own" ? {} : { "nats.values": await natsValues() }
}

const namespaceDocument = new Namespace({
  metadata: {
    name: namespace,
    labels: Object.fromEntries(
      ["enforce", "audit", "warn"].flatMap(mode => [
        [`pod-security.kubernetes.io/${mode}`, "restricted"],
        [`pod-security.kubernetes.io/${mode}-version`, "latest"],
      ]),
    ),
  },
})

/** Each version has its own job, since a job cannot be changed once it exists. */
function migrationJob(overlay: Overlay) {
  const labels = labelsOf("migrate")
  const name = `migrate-${packages.version.replaceAll(".", "-")}`
  return [
    new ServiceAccount({
      metadata: { name: "migrate", namespace, labels },
      automountServiceAccountToken: false,
    }),
    new Job({
      metadata: { name, namespace, labels },
      spec: {
        backoffLimit: 5,
        activeDeadlineSeconds: 3_600,
        ttlSecondsAfterFinished: 86_400,
        template: {
          metadata: { labels },
          spec: {
            ...podOf("migrate", overlay, {
              resources: {
                requests: { cpu: "100m", memory: "128Mi" },
                limits: { cpu: "1000m", memory: "256Mi" },
              },
            }),
            restartPolicy: "Never",
          },
        },
      },
    }),
  ]
}

/** Exposes the gateway under the public host. */
function ingressOf({ host }: Overlay) {
  const metadata = { name: "gateway", namespace, labels: labelsOf("gateway") }
  const service = { name: "gateway", port: { name: "http" } }
  return [
    new Service({
      metadata,
      spec: {
        selector: labelsOf("gateway"),
        ports: [{ name: "http", port: 80, targetPort: HTTP_PORT }],
      },
    }),
    new Ingress({
      metadata,
      spec: {
        tls: [{ hosts: [host], secretName: "tributary-tls" }],
        rules: [
          { host, http: { paths: [{ path: "/", pathType: "Prefix", backend: { service } }] } },
        ],
      },
    }),
  ]
}

/** For the Prometheus operator: scrapes every part, ready or not, and defines the alerts. */
function monitoring() {
  const labels = { "app.kubernetes.io/name": "metrics", "app.kubernetes.io/part-of": "tributary" }
  const metadata = { name: "metrics", namespace, labels }
  return [
    new Service({
      metadata,
      spec: {
        clusterIP: "None",
        publishNotReadyAddresses: true,
        selector: { "app.kubernetes.io/part-of": "tributary" },
        ports: [{ name: "metrics", port: METRICS_PORT, targetPort: "metrics" }],
      },
    }),
    new ServiceMonitor({
      metadata,
      spec: {
        jobLabel: "app.kubernetes.io/part-of", // alerts and the dashboard select job="tributary"
        selector: { matchLabels: labels },
        endpoints: [
          {
            port: "metrics",
            relabelings: [
              {
                sourceLabels: ["__meta_kubernetes_pod_label_app_kubernetes_io_name"],
                regex: PART_NAMES.join("|"),
                action: "keep",
              },
              {
                sourceLabels: ["__meta_kubernetes_pod_label_app_kubernetes_io_name"],
                targetLabel: "part",
              },
            ],
          },
        ],
      },
    }),
    new PrometheusRule({ metadata, spec: Bun.YAML.parse(readFileSync(ALERTS, "utf8")) as Rules }),
  ]
}

const ALERTS = join(import.meta.dir, "../observability/alerts.yml")
type Rules = { groups: { name: string; rules: { expr: string }[] }[] }
