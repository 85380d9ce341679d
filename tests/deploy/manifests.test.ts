import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import type { IContainer } from "kubernetes-models/v1/Container"
import type { IPodSpec } from "kubernetes-models/v1/PodSpec"
import { foldersOf } from "../../deploy/kubernetes/overlay"
import { MEASURED, OVERLAYS } from "../../deploy/kubernetes/system"
import { manifests } from "../../deploy/manifests"
import { PART_NAMES, type Part, SERVICE_NAMES } from "../../deploy/part"
import { startedWith } from "./valkey"

type Manifest = { kind: string; metadata: { name: string; namespace?: string }; spec: any } // any: by kind
type Labels = Record<string, string>

const root = join(import.meta.dir, "../..")
const DIGEST = /(^|:)\d[\w.-]*@sha256:[0-9a-f]{64}$/
const settings = await Bun.file(join(root, "docs/operations.md")).text()
const generated = await manifests()

test("the manifest files are exactly those that `npm run manifests` writes", async () => {
  for (const [path, text] of Object.entries(generated)) {
    expect(await Bun.file(join(root, "deploy", path)).text(), path).toBe(text)
  }
  const found = new Bun.Glob("kubernetes/*/**/*.*").scan(join(root, "deploy"))
  expect((await Array.fromAsync(found)).toSorted()).toEqual(
    Object.keys(generated)
      .filter(path => path.startsWith("kubernetes/"))
      .toSorted(),
  )
})

describe.each(OVERLAYS)("in the overlay $name,", overlay => {
  const documents = Object.entries(generated)
    .filter(
      ([path]) => path.startsWith(`kubernetes/${overlay.name}/`) && /\w\/\w+\/.*yaml$/.test(path),
    )
    .flatMap(([, text]) => text.split(/^---$/m).map(text => Bun.YAML.parse(text) as Manifest))
  const ofKind = (...kinds: string[]) => documents.filter(({ kind }) => kinds.includes(kind))
  const workloads = ofKind("Deployment", "StatefulSet", "Job")
  const pods = workloads.map(({ kind, metadata, spec }) => ({
    kind,
    name: metadata.name,
    labels: spec.template.metadata.labels as Labels,
    spec: spec.template.spec as IPodSpec,
  }))
  const containers = pods.flatMap(({ kind, name, spec }) =>
    spec.containers.map((container): [string, string, IContainer] => [name, kind, container]),
  )

  test("every document is valid", async () => {
    const all = Object.values(await foldersOf(overlay)).flatMap(folder =>
      Object.values(folder).flat(),
    )
    for (const document of all) if ("validate" in document) (document as any).validate() // any: a model
    expect(all.length).toBe(documents.filter(({ kind }) => kind !== "Kustomization").length)
  })

  test("each part has a deployment, an autoscaler, a budget and an account without rights", () => {
    for (const kind of ["Deployment", "HorizontalPodAutoscaler", "PodDisruptionBudget"]) {
      const names = ofKind(kind).map(({ metadata }) => metadata.name)
      expect(names, kind).toEqual(expect.arrayContaining([...PART_NAMES]))
    }
    const accounts = ofKind("ServiceAccount") as unknown as {
      automountServiceAccountToken: boolean
    }[]
    expect(accounts.map(account => account.automountServiceAccountToken)).toEqual(
      [...PART_NAMES, "migrate"].map(() => false),
    )
    for (const { metadata, spec } of ofKind("HorizontalPodAutoscaler")) {
      expect(spec.scaleTargetRef.name).toBe(metadata.name)
      expect([spec.minReplicas, spec.maxReplicas]).toEqual(overlay.replicas[metadata.name as Part])
    }
  })

  test.each(pods)("$kind $name runs without privileges", ({ spec }) => {
    expect(spec.automountServiceAccountToken).toBe(false)
    expect(spec.hostNetwork ?? spec.hostPID ?? spec.hostIPC).toBeUndefined()
    expect(spec.securityContext).toMatchObject({
      runAsNonRoot: true,
      seccompProfile: { type: "RuntimeDefault" },
    })
    expect(spec.securityContext!.runAsUser).toBeGreaterThan(0)
  })

  test.each(containers)(
    "%s (%s) has limits and probes, and is read-only",
    (_name, kind, container) => {
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      })
      if (!container.image!.startsWith("tributary:")) expect(container.image).toMatch(DIGEST)
      const { requests, limits } = container.resources!
      for (const resource of ["cpu", "memory"]) {
        expect(requests![resource]).toBeDefined()
        expect(limits![resource]).toBeDefined()
      }
      if (kind === "Job") return
      expect(container.readinessProbe).toBeDefined()
      expect(container.livenessProbe).toBeDefined()
    },
  )

  test.each(PART_NAMES)("%s may use twice the memory that was measured", part => {
    const [, , container] = containers.find(([name]) => name === part)!
    const mb = (text: unknown) => Number(/^(\d+)Mi$/.exec(`${text}`)![1])
    const { requests, limits } = container.resources!
    expect(mb(requests!.memory)).toBeGreaterThanOrEqual(MEASURED[part].memory_mb_max)
    expect(mb(limits!.memory)).toBeGreaterThanOrEqual(2 * MEASURED[part].memory_mb_max)
  })

  test.each(containers)(
    "%s (%s) has secrets by reference, and only documented settings",
    (_name, _kind, { image, env }) => {
      const defined: string[] = []
      for (const { name, value, valueFrom } of env ?? []) {
        if (/PASSWORD|SECRET|TOKEN/.test(name)) expect(value, name).toBeUndefined()
        if (valueFrom) expect(valueFrom.secretKeyRef?.key).toBeString()
        if (value) expect(value).not.toMatch(/:\/\/\w*:(?!\$\()[^@]*@/) // contains no password
        for (const [, variable] of (value ?? "").matchAll(/\$\((\w+)\)/g))
          expect(defined).toContain(variable!)
        const isSetting = settings.includes(`\`${name}\``)
        if (image!.startsWith("tributary:"))
          expect(isSetting || name.endsWith("_PASSWORD"), name).toBe(true)
        defined.push(name)
      }
    },
  )

  test("each service has its own login only, the gateway none, and migrate the owner's too", () => {
    const usersOf = (pod: string) => {
      const [, , { env }] = containers.find(([name]) => name.startsWith(pod))!
      return env!.flatMap(({ value }) => /^postgres:\/\/(\w+):/.exec(value ?? "")?.[1] ?? [])
    }
    for (const service of SERVICE_NAMES) expect(usersOf(service)).toEqual([`tributary_${service}`])
    expect(usersOf("gateway")).toEqual([])
    const logins = SERVICE_NAMES.map(service => `tributary_${service}`)
    expect(usersOf("migrate")).toEqual(["tributary", ...logins])
  })

  test("each selector matches pods", () => {
    for (const { kind, metadata, spec } of ofKind(
      "Deployment",
      "StatefulSet",
      "PodDisruptionBudget",
    )) {
      expect(selectedBy(spec.selector.matchLabels), `${kind} ${metadata.name}`).toEqual([
        metadata.name,
      ])
    }
    for (const { metadata, spec } of ofKind("Service")) {
      expect(selectedBy(spec.selector).length, metadata.name).toBeGreaterThan(0)
    }
    for (const { spec } of ofKind("Ingress")) {
      const { name } = spec.rules[0].http.paths[0].backend.service
      expect(ofKind("Service").some(({ metadata }) => metadata.name === name)).toBe(true)
    }
  })

  test("all traffic is denied by default, and every pod has its own policy", () => {
    const policies = ofKind("NetworkPolicy")
    const [denyAll] = policies.filter(({ metadata }) => metadata.name === "deny-all")
    expect(denyAll!.spec).toEqual({ podSelector: {}, policyTypes: ["Ingress", "Egress"] })
    for (const { name, labels } of pods) {
      const own = policies.filter(({ spec }) => {
        const selector = Object.entries((spec.podSelector.matchLabels ?? {}) as Labels)
        return selector.length > 0 && selector.every(([key, value]) => labels[key] === value)
      })
      expect(own.length, name).toBe(1)
    }
    const open = policies.flatMap(({ spec }) => (spec.ingress ?? []) as { from?: object[] }[])
    expect(open.filter(({ from }) => !from?.length)).toEqual([])
  })

  test("every rule of a policy names peers and ports, and only delivery's the whole Internet", () => {
    const open: [policy: string, direction: string, ports: string][] = []
    for (const { metadata, spec } of ofKind("NetworkPolicy")) {
      for (const [direction, peers] of [
        ["ingress", "from"],
        ["egress", "to"],
      ] as const) {
        for (const rule of spec[direction] ?? []) {
          expect(rule[peers]?.length, `${metadata.name} ${direction}`).toBeGreaterThan(0)
          expect(rule.ports?.length, `${metadata.name} ${direction}`).toBeGreaterThan(0)
          const isOpen = /"cidr":"[^"]*\/[0-7]"/.test(JSON.stringify(rule))
          if (isOpen) open.push([metadata.name, direction, JSON.stringify(rule.ports)])
        }
      }
    }
    const ports = [443, 8_443, 465, 587].map(port => ({ protocol: "TCP", port }))
    expect(open).toEqual([["delivery", "egress", JSON.stringify(ports)]])
  })

  test("every image of a server is named by its digest", () => {
    const text =
      JSON.stringify(documents) + generated[`kubernetes/${overlay.name}/nats.values.yaml`]
    const images = [...text.matchAll(/"?(?:image|imageName|tag)"?: ?"?([^",\s]+)/g)]
      .map(([, image]) => image!)
      .filter(image => !image.startsWith("tributary:"))
    expect(images.length).toBe(3)
    for (const image of images) expect(image).toMatch(DIGEST)
  })

  test("the namespace enforces the restricted standard, audits it and warns", () => {
    const [{ labels }] = ofKind("Namespace").map(({ metadata }) => metadata) as any // any: a label each
    for (const mode of ["enforce", "audit", "warn"])
      expect(labels[`pod-security.kubernetes.io/${mode}`]).toBe("restricted")
  })

  test("the quota admits every replica during a rollout, and no exposed service", () => {
    const [quota] = ofKind("ResourceQuota")
    const { hard } = quota!.spec
    const rollout = PART_NAMES.map(part => {
      const [, , container] = containers.find(([name]) => name === part)!
      return { pods: overlay.replicas[part][1] + 1, limits: container.resources!.limits! }
    })
    const needed = (amount: (limits: Labels) => number) =>
      rollout.reduce((sum, { pods, limits }) => sum + pods * amount(limits as Labels), 0)
    const millicores = needed(({ cpu }) => Number.parseInt(cpu!, 10))
    const mebibytes = needed(({ memory }) => Number.parseInt(memory!, 10))
    expect(Number.parseInt(hard["limits.cpu"], 10)).toBeGreaterThan(millicores)
    expect(Number.parseInt(hard["limits.memory"], 10)).toBeGreaterThan(mebibytes)
    expect(Number(hard.pods)).toBeGreaterThan(rollout.reduce((sum, { pods }) => sum + pods, 0))
    expect(hard).toMatchObject({ "services.loadbalancers": "0", "services.nodeports": "0" })
  })

  test.skipIf(!Bun.which("redis-server"))(
    "Valkey requires its password, which is on no command line",
    async () => {
      const [, , { command }] = containers.find(([name]) => name === "valkey")!
      expect(await startedWith(command!)).toEqual({ isProtected: true, isShown: false })
    },
  )

  test("PostgreSQL accepts the connections of all replicas", () => {
    const { replicas } = overlay
    const connections =
      replicas.tracking[1] * 17 +
      replicas.commissions[1] * 13 +
      replicas.identity[1] * 8 +
      replicas.reporting[1] * 8 +
      replicas.delivery[1] * 12
    const text = JSON.stringify(documents)
    const [, max] = /max_connections(?:=|":")(\d+)/.exec(text)!
    expect(connections).toBeLessThan(Number(max) - 20)
  })

  test("min_wal_size is set, and max_wal_size exceeds it, as CloudNativePG requires", () => {
    const text = JSON.stringify(documents)
    const [min, max] = ["min", "max"].map(name =>
      Number(new RegExp(`${name}_wal_size(?:=|":")(\\d+)GB`).exec(text)?.[1]),
    ) as [number, number]
    expect(min).toBeGreaterThan(0)
    expect(max).toBeGreaterThan(min)
  })

  test("everything is in the one namespace", () => {
    const others = documents.filter(({ kind, metadata }) =>
      kind === "Kustomization" || kind === "Namespace" ? false : metadata.namespace !== "tributary",
    )
    expect(others).toEqual([])
  })

  const selectedBy = (labels: Labels) =>
    pods
      .filter(pod => Object.entries(labels).every(([key, value]) => pod.labels[key] === value))
      .map(({ name }) => name)
})
