import { Deployment } from "kubernetes-models/apps/v1/Deployment"
import { StatefulSet } from "kubernetes-models/apps/v1/StatefulSet"
import type { IContainer } from "kubernetes-models/v1/Container"
import type { IPodSpec } from "kubernetes-models/v1/PodSpec"
import { Service } from "kubernetes-models/v1/Service"
import { natsUsers } from "../nats-users"
import { NATS_RUNTIME } from "../servers"
import { labelsOf, RESTRICTED, RESTRICTED_POD, secret } from "./pods"
import { IMAGES, NAMESPACE as namespace, PORT_OF, type Server } from "./system"

/** Counts calls across all gateways, for rate limits. Losing the counts is harmless. */
export const valkey = () => [
  service("valkey"),
  new Deployment({
    metadata: metadataOf("valkey"),
    spec: {
      selector: { matchLabels: labelsOf("valkey") },
      template: templateOf("valkey", {
        image: IMAGES.valkey,
        command: ["sh", "-c", VALKEY],
        env: [secret("REDISCLI_AUTH", "VALKEY_PASSWORD")],
        readinessProbe: { exec: { command: ["valkey-cli", "ping"] } },
        livenessProbe: { tcpSocket: { port: "valkey" } },
        resources: {
          requests: { cpu: "50m", memory: "64Mi" },
          limits: { cpu: "500m", memory: "128Mi" },
        },
      }),
    },
  }),
]

/** The password comes through standard input: every process can read a command line. */
const VALKEY = `exec valkey-server - --save "" --appendonly no <<SETTINGS
requirepass $REDISCLI_AUTH
SETTINGS`

/** A single NATS, with the users of nats.conf, which kustomize puts into a ConfigMap. */
export async function nats() {
  const users = await natsUsers()
  return [
    service("nats"),
    new Deployment({
      metadata: metadataOf("nats"),
      spec: {
        strategy: { type: "Recreate" }, // two servers would split the parts
        selector: { matchLabels: labelsOf("nats") },
        template: templateOf(
          "nats",
          {
            image: IMAGES.nats,
            command: ["nats-server"],
            args: ["--config", "/etc/nats/nats.conf", "--http_port", "8222"],
            env: [
              { name: "GOGC", value: NATS_RUNTIME.GOGC },
              { name: "GOMEMLIMIT", value: "200MiB" },
              ...users.map(({ variable }) => secret(variable, variable)),
            ],
            readinessProbe: { httpGet: { path: "/healthz", port: 8_222 } },
            livenessProbe: { httpGet: { path: "/healthz", port: 8_222 } },
            resources: {
              requests: { cpu: "50m", memory: "64Mi" },
              limits: { cpu: "1000m", memory: "256Mi" },
            },
            volumeMounts: [{ name: "conf", mountPath: "/etc/nats", readOnly: true }],
          },
          { volumes: [{ name: "conf", configMap: { name: "nats" } }] },
        ),
      },
    }),
  ]
}

/** A single PostgreSQL on one volume, without failover or backups: for trials only. */
export const postgres = () => [
  service("postgres"),
  new StatefulSet({
    metadata: metadataOf("postgres"),
    spec: {
      serviceName: "postgres",
      replicas: 1,
      selector: { matchLabels: labelsOf("postgres") },
      template: templateOf(
        "postgres",
        {
          image: IMAGES.postgres,
          args: [
            ...["-c", "max_connections=200"], // the pools open 157 at most, in a rollout
            ...["-c", "min_wal_size=1GB", "-c", "max_wal_size=2GB"],
          ],
          env: [
            { name: "POSTGRES_USER", value: "tributary" },
            { name: "POSTGRES_DB", value: "tributary" },
            secret("POSTGRES_PASSWORD", "POSTGRES_PASSWORD"),
          ],
          readinessProbe: { exec: { command: PG_ISREADY }, timeoutSeconds: 3 },
          startupProbe: { exec: { command: PG_ISREADY }, failureThreshold: 60 },
          livenessProbe: { tcpSocket: { port: "postgres" } },
          resources: {
            requests: { cpu: "250m", memory: "512Mi" },
            limits: { cpu: "2000m", memory: "1Gi" },
          },
          volumeMounts: [
            { name: "data", mountPath: "/var/lib/postgresql" },
            { name: "socket", mountPath: "/var/run/postgresql" },
            { name: "tmp", mountPath: "/tmp" },
          ],
        },
        {
          terminationGracePeriodSeconds: 60,
          securityContext: { ...RESTRICTED_POD, runAsUser: 999, runAsGroup: 999, fsGroup: 999 },
          volumes: [
            { name: "socket", emptyDir: {} },
            { name: "tmp", emptyDir: {} },
          ],
        },
      ),
      volumeClaimTemplates: [
        {
          apiVersion: "v1",
          kind: "PersistentVolumeClaim",
          metadata: { name: "data" },
          spec: {
            accessModes: ["ReadWriteOnce"],
            resources: { requests: { storage: "20Gi" } },
          },
        },
      ],
    },
  }),
]

const PG_ISREADY = ["pg_isready", "--username=tributary", "--dbname=tributary", "--host=127.0.0.1"]

const metadataOf = (name: Server) => ({ name, namespace, labels: labelsOf(name) })

const service = (name: Server) =>
  new Service({
    metadata: metadataOf(name),
    spec: { selector: labelsOf(name), ports: [{ name, port: PORT_OF[name], targetPort: name }] },
  })

const templateOf = (name: Server, container: Partial<IContainer>, pod: Partial<IPodSpec> = {}) => ({
  metadata: { labels: labelsOf(name) },
  spec: {
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    securityContext: RESTRICTED_POD,
    ...pod,
    containers: [
      {
        name,
        ports: [{ name, containerPort: PORT_OF[name] }],
        securityContext: RESTRICTED,
        ...container,
      },
    ],
  },
})
