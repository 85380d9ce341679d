import { ResourceQuota } from "kubernetes-models/v1/ResourceQuota"
import { NAMESPACE as namespace } from "./system"

type Amounts = Partial<Record<string, string | number>>
type Resources = { requests: Amounts; limits: Amounts }
/** Pods that may run at once, with the resources of each and the volume of each, if any. */
export type Load = { pods: number; resources: Resources; storage?: string }

/** Caps the namespace at what `loads` need together, so that nothing else takes the cluster's room. */
export function resourceQuota(loads: Load[]) {
  const sum = (amountOf: (load: Load) => number) =>
    loads.reduce((total, load) => total + load.pods * amountOf(load), 0)
  const cpu = (kind: keyof Resources) =>
    `${sum(({ resources }) => millicoresOf(resources[kind].cpu))}m`
  const memory = (kind: keyof Resources) =>
    `${sum(({ resources }) => mebibytesOf(resources[kind].memory))}Mi`

  return new ResourceQuota({
    metadata: { name: "tributary", namespace },
    spec: {
      hard: {
        pods: `${sum(() => 1)}`,
        "requests.cpu": cpu("requests"),
        "limits.cpu": cpu("limits"),
        "requests.memory": memory("requests"),
        "limits.memory": memory("limits"),
        "requests.storage": `${sum(({ storage }) => mebibytesOf(storage ?? "0Mi"))}Mi`,
        "services.loadbalancers": "0",
        "services.nodeports": "0",
      },
    },
  })
}

/** Returns what workloads need at most: all replicas, and one more while they are replaced. */
export function loadsOf(documents: object[]): Load[] {
  const workloads = documents as Workload[]
  const scaled = workloads.filter(({ kind }) => kind === "HorizontalPodAutoscaler")
  const maxOf = new Map(scaled.map(({ metadata, spec }) => [metadata.name, spec.maxReplicas]))

  return workloads.flatMap(({ kind, metadata, spec }): Load[] => {
    const replicas = maxOf.get(metadata.name) ?? spec?.replicas ?? 1
    const resources = spec?.template?.spec?.containers[0].resources
    switch (kind) {
      case "Deployment":
        return [{ pods: replicas + (spec.strategy?.type === "Recreate" ? 0 : 1), resources }]
      case "StatefulSet": {
        const [volume] = spec.volumeClaimTemplates
        return [{ pods: replicas, resources, storage: volume.spec.resources.requests.storage }]
      }
      case "Job":
        return [{ pods: 1, resources }]
      case "Cluster": // of CloudNativePG: one more for the pod that fills the volume of a member
        return [{ pods: spec.instances + 1, resources: spec.resources, storage: spec.storage.size }]
      default:
        return []
    }
  })
}

type Workload = { kind: string; metadata: { name: string }; spec: any } // any: by kind

function millicoresOf(amount: string | number | undefined): number {
  const [, number, milli] = /^(\d+)(m?)$/.exec(`${amount}`) ?? []
  if (number === undefined) throw new Error(`"${amount}" is not an amount of CPU.`)
  return Number(number) * (milli ? 1 : 1_000)
}

function mebibytesOf(amount: string | number | undefined): number {
  const [, number, unit] = /^(\d+)([MG])i$/.exec(`${amount}`) ?? []
  if (number === undefined) throw new Error(`"${amount}" is not an amount of memory.`)
  return Number(number) * (unit === "G" ? 1_024 : 1)
}
