import { Deployment } from "kubernetes-models/apps/v1/Deployment"
import { HorizontalPodAutoscaler } from "kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler"
import { PodDisruptionBudget } from "kubernetes-models/policy/v1/PodDisruptionBudget"
import { ServiceAccount } from "kubernetes-models/v1/ServiceAccount"
import type { Part } from "../part"
import { labelsOf, podOf, portsOf, probesOf } from "./pods"
import { MEASURED, NAMESPACE as namespace, type Overlay } from "./system"

/** Returns the deployment of a part with its autoscaler, disruption budget and service account. */
export function partManifests(name: Part, overlay: Overlay) {
  const labels = labelsOf(name)
  const metadata = { name, namespace, labels }
  const selector = { matchLabels: labels }
  const [minReplicas, maxReplicas] = overlay.replicas[name]

  return [
    new ServiceAccount({ metadata, automountServiceAccountToken: false }),
    new Deployment({
      metadata,
      spec: {
        selector,
        strategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
        revisionHistoryLimit: 3,
        template: {
          metadata: { labels },
          spec: {
            ...podOf(name, overlay, {
              ports: portsOf(name),
              ...probesOf(name),
              resources: resourcesOf(name, overlay),
              lifecycle: { preStop: { sleep: { seconds: DRAIN_SECONDS } } },
            }),
            terminationGracePeriodSeconds: 30,
            topologySpreadConstraints: [
              spread("topology.kubernetes.io/zone", overlay.is_spread),
              spread("kubernetes.io/hostname", false),
            ],
          },
        },
      },
    }),
    new HorizontalPodAutoscaler({
      metadata,
      spec: {
        scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name },
        minReplicas,
        maxReplicas,
        metrics: [
          {
            type: "Resource",
            resource: {
              name: "cpu",
              target: { type: "Utilization", averageUtilization: CPU_TARGET_PERCENT },
            },
          },
        ],
        behavior: { scaleDown: { stabilizationWindowSeconds: 300 } },
      },
    }),
    new PodDisruptionBudget({ metadata, spec: { maxUnavailable: 1, selector } }),
  ]

  function spread(topologyKey: string, isRequired: boolean) {
    return {
      maxSkew: 1,
      topologyKey,
      whenUnsatisfiable: isRequired ? ("DoNotSchedule" as const) : ("ScheduleAnyway" as const),
      labelSelector: selector,
      matchLabelKeys: ["pod-template-hash"], // only this version: the last one is leaving
    }
  }
}

const CPU_TARGET_PERCENT = 70
const DRAIN_SECONDS = 5 // until every node knows that the pod is terminating
const CPU_MIN = 50 // millicores
const MEMORY_STEP_MB = 32

/** Requests so much CPU that `clicks_per_second` load a replica to the autoscaler's target. */
function resourcesOf(name: Part, { clicks_per_second }: Overlay) {
  const { cpu_us_per_click, memory_mb_max } = MEASURED[name]
  const used = (clicks_per_second * cpu_us_per_click) / 1_000
  const cpu = Math.max(CPU_MIN, Math.ceil(used / (CPU_TARGET_PERCENT / 100) / 10) * 10)
  const memory = Math.ceil(memory_mb_max / MEMORY_STEP_MB) * MEMORY_STEP_MB
  return {
    requests: { cpu: `${cpu}m`, memory: `${memory}Mi` },
    limits: { cpu: "1500m", memory: `${2 * memory}Mi` }, // one thread works, others collect garbage
  }
}
