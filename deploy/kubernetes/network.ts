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

// Label the namespaces that may connect: kubectl label namespace traefik tributary/calls=gateway
const CALLS_GATEWAY = { "tributary/calls": "gateway" }
const CALLS_METRICS = { "tributary/calls": "metrics" }

/**
 * Forbids all traffic except CONNECTIONS, DNS, metrics, and what clusters, the gateway and delivery
 * need. Delivery alone reaches the Internet.
 */
export function networkPolicies({ servers }: Overlay) {
  const isClustered = servers === "clusters"
  const pods: Pod[] = [...PART_NAMES, "migrate", "postgres", "nats", "valkey"]

  const selectorOf = (pod: Pod): Spec["podSelector"] => ({
    matchLabels:
      isClustered && pod === "postgres"
        ? { "cnpg.io/cluster": "postgres" }
        : { "app.kubernetes.io/name": pod },
  })
  const peer = (pod: Pod) => ({ podSelector: selectorOf(pod) })

  /** What the members of a cluster need among themselves. */
  const clusterRules: Partial<Record<Pod, Rules>> = isClustered
    ? {
        nats: {
          ingress: [{ from: [peer("nats")], ports: [tcp(6_222)] }],
          egress: [{ to: [peer("nats")], ports: [tcp(6_222)] }],
        },
        postgres: {
          ingress: [{ from: [peer("postgres"), all(named("cnpg-system"))], ports: POSTGRES_PORTS }],
          egress: [
            { to: [peer("postgres")], ports: POSTGRES_PORTS },
            { to: KUBERNETES_API, ports: [tcp(443), tcp(6_443)] }, // members watch their cluster
          ],
        },
      }
    : {}
  const publicRules: Partial<Record<Pod, Rule>> = {
    gateway: { from: [all(CALLS_GATEWAY)], ports: [tcp(HTTP_PORT)] },
  }

  const outsideRules: Partial<Record<Pod, OutgoingRule[]>> = {
    delivery: [{ to: INTERNET, ports: [443, 8_443, 465, 587].map(tcp) }], // HTTPS, and mail
  }

  return [
    policy("deny-all", {}, {}),
    policy("names", {}, { egress: [{ to: RESOLVERS, ports: [tcp(53), udp(53)] }] }),
    policy("metrics", ALL_PARTS, {
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
          ...(publicRules[pod] ? [publicRules[pod]] : []),
          ...(clusterRules[pod]?.ingress ?? []),
        ],
        egress: [
          ...called.map(server => ({ to: [peer(server)], ports: [tcp(PORT_OF[server])] })),
          ...(outsideRules[pod] ?? []),
          ...(clusterRules[pod]?.egress ?? []),
        ],
      })
    }),
  ]
}

type Spec = NonNullable<NetworkPolicy["spec"]>
type Rules = Pick<Spec, "ingress" | "egress">
type Rule = NonNullable<Spec["ingress"]>[number]
type OutgoingRule = NonNullable<Spec["egress"]>[number]

function policy(name: string, podSelector: Spec["podSelector"], rules: Rules) {
  const spec = { podSelector, policyTypes: BOTH, ...rules }
  return new NetworkPolicy({ metadata: { name, namespace }, spec })
}

const BOTH: Spec["policyTypes"] = ["Ingress", "Egress"]
const tcp = (port: number) => ({ protocol: "TCP" as const, port })
const udp = (port: number) => ({ protocol: "UDP" as const, port })
const POSTGRES_PORTS = [tcp(5_432), tcp(8_000)]
const all = (labels: Record<string, string>) => ({ namespaceSelector: { matchLabels: labels } })
const named = (name: string) => ({ "kubernetes.io/metadata.name": name })
/** Before and after the translation of its Service's address, which policies may see either. */
const KUBERNETES_API = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"].map(cidr => ({
  ipBlock: { cidr },
}))
/** All addresses except those of private networks, of nodes and of their metadata. */
const INTERNET = [
  {
    ipBlock: {
      cidr: "0.0.0.0/0",
      except: [
        "10.0.0.0/8",
        "100.64.0.0/10",
        "127.0.0.0/8",
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.168.0.0/16",
      ],
    },
  },
  { ipBlock: { cidr: "::/0", except: ["::1/128", "fc00::/7", "fe80::/10"] } },
]
const RESOLVERS = [
  { ...all(named("kube-system")), podSelector: { matchLabels: { "k8s-app": "kube-dns" } } },
  { ipBlock: { cidr: "169.254.20.10/32" } }, // the DNS cache on each node, if there is one
]
const ALL_PARTS = {
  matchExpressions: [
    { key: "app.kubernetes.io/name", operator: "In" as const, values: [...PART_NAMES] },
  ],
}
