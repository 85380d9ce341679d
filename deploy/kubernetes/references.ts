import { natsUsers, withPassword } from "../nats-users"
import { NATS_RUNTIME } from "../servers"
import { secret } from "./pods"
import type { Load } from "./quota"
import { IMAGES, NAMESPACE as namespace } from "./system"

/** PostgreSQL in three zones, run by CloudNativePG. A commit waits for a second zone. */
export const postgresCluster = () => ({
  apiVersion: "postgresql.cnpg.io/v1",
  kind: "Cluster",
  metadata: { name: "postgres", namespace },
  spec: {
    instances: 3,
    imageName: IMAGES.postgresCluster,
    bootstrap: { initdb: { database: "tributary", owner: "tributary" } },
    managed: {
      // migrate creates a login for each service
      roles: [{ name: "tributary", ensure: "present", login: true, createrole: true }],
    },
    postgresql: {
      synchronous: { method: "any", number: 1, dataDurability: "required" },
      parameters: { max_connections: "400", min_wal_size: "2GB", max_wal_size: "4GB" },
    },
    affinity: { topologyKey: "topology.kubernetes.io/zone", podAntiAffinityType: "required" },
    storage: { size: "100Gi" },
    resources: { requests: { cpu: "2", memory: "4Gi" }, limits: { cpu: "4", memory: "4Gi" } },
  },
})

/** What the pods of the NATS chart need. */
export async function natsLoad(): Promise<Load> {
  const { config, container } = await natsValues()
  return { pods: config.cluster.replicas, resources: container.merge.resources }
}

/** Returns values for the NATS chart: three members, one per zone, and the users of nats.conf. */
export async function natsValues() {
  const users = await natsUsers()
  return {
    fullnameOverride: "nats",
    config: {
      cluster: { enabled: true, replicas: 3 },
      // The chart writes what is in << >> without quotes, so that NATS reads it as a variable.
      merge: {
        authorization: { users: users.map(user => withPassword(user, `<< $${user.variable} >>`)) },
      },
    },
    container: {
      image: { tag: IMAGES.nats.replace(/^nats:/, "") },
      env: {
        ...NATS_RUNTIME,
        GOMEMLIMIT: "400MiB",
        ...Object.fromEntries(
          users.map(({ variable }) => [
            variable,
            { valueFrom: secret(variable, variable).valueFrom },
          ]),
        ),
      },
      merge: {
        resources: {
          requests: { cpu: "250m", memory: "128Mi" },
          limits: { cpu: "2000m", memory: "512Mi" },
        },
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ["ALL"] },
        },
      },
    },
    podTemplate: {
      topologySpreadConstraints: {
        "topology.kubernetes.io/zone": { maxSkew: 1, whenUnsatisfiable: "DoNotSchedule" },
      },
      merge: {
        spec: {
          automountServiceAccountToken: false,
          securityContext: {
            runAsNonRoot: true,
            runAsUser: 1_000,
            fsGroup: 1_000,
            seccompProfile: { type: "RuntimeDefault" },
          },
        },
      },
    },
    reloader: { enabled: false },
    natsBox: { enabled: false },
    podDisruptionBudget: { enabled: true },
  }
}
