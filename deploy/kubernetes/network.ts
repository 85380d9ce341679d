import { NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1/NetworkPolicy"
import { PART_NAMES } from "../part"
import {
  CONNECTIONS,
  HTTP_PORT,
  METRICS_PORT,
  NAMESPACE as namespace,
  type Overlay,
  PORT_OF,
  type Pod,
  type Server,
} from "./system"

// Of the namespaces that may call: kubectl label namespace traefik tributary/calls=gateway
const CALLS_GATEWAY = { "tributary/calls": "gateway" }
const CALLS_METRICS = { "tributary/calls": "metrics" }

/** Nothing may talk, but along the arrows, to the resolver of names, and to those who watch. */
export function networkOf({ servers }: Overlay) {
  const isClustered = servers === "clusters"
  const pods: Pod[] = [...PART_NAMES, "migrate", "postgres", "nats", "valkey"]

  const selectorOf = (pod: Pod): Spec["podSelector"] => ({
    matchLabels:
      isClustered && pod === "postgres"
        ? { "cnpg.io/cluster": "postgres" }
        : { "app.kubernetes.io/name": pod },
  })
  const peer = (pod: Pod) => ({ podSelector: selectorOf(pod) })

  /** Members of a cluster talk among themselves. */
  const clustered: Partial<Record<Pod, Rules>> = isClustered
    ? {
        nats: {
          ingress: [{ from: [peer("nats")], ports: [tcp(6_222)] }],
          egress: [{ to: [peer("nats")], ports: [tcp(6_222)] }],
        },
        postgres: {
          ingress: [
            { from: [peer("postgres"), all(named("cnpg-system"))], ports: PORTS_OF_CLUSTER },
          ],
          egress: [
            { to: [peer("postgres")], ports: PORTS_OF_CLUSTER },
            { ports: [tcp(443), tcp(6_443)] }, // Kubernetes, and where the backups go
          ],
        },
      }
    : {}
  const shown: Partial<Record<Pod, Rule>> = {
    gateway: { from: [all(CALLS_GATEWAY)], ports: [tcp(HTTP_PORT)] },
  }

  return [
    policy("nothing", {}, {}),
    policy("names", {}, { egress: [{ to: RESOLVERS, ports: [tcp(53), udp(53)] }] }),
    policy("metrics", OF_THE_IMAGE, {
      ingress: [{ from: [all(CALLS_METRICS)], ports: [tcp(METRICS_PORT)] }],
    }),
    ...pods.map(pod => {
      const callers = CONNECTIONS.flatMap(([from, to]) => (to === pod ? from : []))
      const called = CONNECTIONS.flatMap(([from, to]) => (from.includes(pod) ? [to] : []))
      return policy(pod, selectorOf(pod), {
        ingress: [
          ...(callers.length
            ? [{ from: callers.map(peer), ports: [tcp(PORT_OF[pod as Server])] }]
            : []),
          ...(shown[pod] ? [shown[pod]] : []),
          ...(clustered[pod]?.ingress ?? []),
        ],
        egress: [
          ...called.map(server => ({ to: [peer(server)], ports: [tcp(PORT_OF[server])] })),
          ...(clustered[pod]?.egress ?? []),
        ],
      })
    }),
  ]
}

type Spec = NonNullable<NetworkPolicy["spec"]>
type Rules = Pick<Spec, "ingress" | "egress">
type Rule = NonNullable<Spec["ingress"]>[number]

function policy(name: string, podSelector: Spec["podSelector"], rules: Rules) {
  const spec = { podSelector, policyTypes: BOTH, ...rules }
  return new NetworkPolicy({ metadata: { name, namespace }, spec })
}

const BOTH: Spec["policyTypes"] = ["Ingress", "Egress"]
const tcp = (port: number) => ({ protocol: "TCP" as const, port })
const udp = (port: number) => ({ protocol: "UDP" as const, port })
const PORTS_OF_CLUSTER = [tcp(5_432), tcp(8_000)]
const all = (labels: Record<string, string>) => ({ namespaceSelector: { matchLabels: labels } })
const named = (name: string) => ({ "kubernetes.io/metadata.name": name })
const RESOLVERS = [
  { ...all(named("kube-system")), podSelector: { matchLabels: { "k8s-app": "kube-dns" } } },
  { ipBlock: { cidr: "169.254.20.10/32" } }, // its cache on each node, where there is one
]
const OF_THE_IMAGE = {
  matchExpressions: [
    { key: "app.kubernetes.io/name", operator: "In" as const, values: [...PART_NAMES] },
  ],
}
