import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import type { IContainer } from "kubernetes-models/v1/Container"
import type { IPodSpec } from "kubernetes-models/v1/PodSpec"
import { foldersOf } from "../../deploy/kubernetes/overlay"
import { MEASURED, OVERLAYS } from "../../deploy/kubernetes/system"
import { manifests } from "../../deploy/manifests"
import { PART_NAMES, type Part } from "../../deploy/part"

type Manifest = { kind: string; metadata: { name: string; namespace?: string }; spec: any } // any: each kind has its own
type Labels = Record<string, string>

const root = join(import.meta.dir, "../..")
const settings = await Bun.file(join(root, "docs/operations.md")).text()
const written = await manifests()

test("the manifests are what the code says (npm run manifests), and no other lies beside them", async () => {
  for (const [path, text] of Object.entries(written)) {
    expect(await Bun.file(join(root, "deploy", path)).text(), path).toBe(text)
  }
  const found = new Bun.Glob("kubernetes/*/**/*.*").scan(join(root, "deploy"))
  expect((await Array.fromAsync(found)).toSorted()).toEqual(
    Object.keys(written)
      .filter(path => path.startsWith("kubernetes/"))
      .toSorted(),
  )
})

describe.each(OVERLAYS)("in the overlay $name,", overlay => {
  const documents = Object.entries(written)
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

  test("every document is one that Kubernetes knows", async () => {
    const all = Object.values(await foldersOf(overlay)).flatMap(folder =>
      Object.values(folder).flat(),
    )
    for (const document of all) if ("validate" in document) (document as any).validate() // any: a model of any kind
    expect(all.length).toBe(documents.filter(({ kind }) => kind !== "Kustomization").length)
  })

  test("each part is there, with its autoscaler, its budget and an account of no rights", () => {
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

  test.each(pods)("$kind $name runs as nobody who may do anything", ({ spec }) => {
    expect(spec.automountServiceAccountToken).toBe(false)
    expect(spec.hostNetwork ?? spec.hostPID ?? spec.hostIPC).toBeUndefined()
    expect(spec.securityContext).toMatchObject({
      runAsNonRoot: true,
      seccompProfile: { type: "RuntimeDefault" },
    })
    expect(spec.securityContext!.runAsUser).toBeGreaterThan(0)
  })

  test.each(containers)(
    "%s (%s) is bounded, watched, and writes nothing",
    (_name, kind, container) => {
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      })
      expect(container.image).toMatch(/:\d/)
      const { requests, limits } = container.resources!
      for (const what of ["cpu", "memory"]) {
        expect(requests![what]).toBeDefined()
        expect(limits![what]).toBeDefined()
      }
      if (kind === "Job") return
      expect(container.readinessProbe).toBeDefined()
      expect(container.livenessProbe).toBeDefined()
    },
  )

  test.each(PART_NAMES)("%s has room for twice what it was measured to need", part => {
    const [, , container] = containers.find(([name]) => name === part)!
    const mb = (text: unknown) => Number(/^(\d+)Mi$/.exec(`${text}`)![1])
    const { requests, limits } = container.resources!
    expect(mb(requests!.memory)).toBeGreaterThanOrEqual(MEASURED[part].memory_mb_max)
    expect(mb(limits!.memory)).toBeGreaterThanOrEqual(2 * MEASURED[part].memory_mb_max)
  })

  test.each(containers)(
    "%s (%s) has secrets by reference, and settings that there are",
    (_name, _kind, { image, env }) => {
      const known: string[] = []
      for (const { name, value, valueFrom } of env ?? []) {
        if (/PASSWORD|SECRET|TOKEN/.test(name)) expect(value, name).toBeUndefined()
        if (valueFrom) expect(valueFrom.secretKeyRef?.key).toBeString()
        if (value) expect(value).not.toMatch(/:\/\/\w*:(?!\$\()[^@]*@/) // no password within
        for (const [, variable] of (value ?? "").matchAll(/\$\((\w+)\)/g))
          expect(known).toContain(variable!)
        const isSetting = settings.includes(`\`${name}\``)
        if (image!.startsWith("tributary:"))
          expect(isSetting || name.endsWith("_PASSWORD"), name).toBe(true)
        known.push(name)
      }
    },
  )

  test("what selects, selects something", () => {
    for (const { kind, metadata, spec } of ofKind(
      "Deployment",
      "StatefulSet",
      "PodDisruptionBudget",
    )) {
      expect(chosen(spec.selector.matchLabels), `${kind} ${metadata.name}`).toEqual([metadata.name])
    }
    for (const { metadata, spec } of ofKind("Service")) {
      expect(chosen(spec.selector).length, metadata.name).toBeGreaterThan(0)
    }
    for (const { spec } of ofKind("Ingress")) {
      const { name } = spec.rules[0].http.paths[0].backend.service
      expect(ofKind("Service").some(({ metadata }) => metadata.name === name)).toBe(true)
    }
  })

  test("nothing may talk by default, and every pod has a policy of its own", () => {
    const policies = ofKind("NetworkPolicy")
    const [nothing] = policies.filter(({ metadata }) => metadata.name === "nothing")
    expect(nothing!.spec).toEqual({ podSelector: {}, policyTypes: ["Ingress", "Egress"] })
    for (const { name, labels } of pods) {
      const own = policies.filter(({ spec }) => {
        const wanted = Object.entries((spec.podSelector.matchLabels ?? {}) as Labels)
        return wanted.length > 0 && wanted.every(([key, value]) => labels[key] === value)
      })
      expect(own.length, name).toBe(1)
    }
    const open = policies.flatMap(({ spec }) => (spec.ingress ?? []) as { from?: object[] }[])
    expect(open.filter(({ from }) => !from?.length)).toEqual([])
  })

  test("the pools of all replicas have room in PostgreSQL", () => {
    const most = overlay.replicas
    const connections =
      most.tracking[1] * 17 +
      most.commissions[1] * 13 +
      most.identity[1] * 8 +
      most.reporting[1] * 8
    const text = JSON.stringify(documents)
    const [, max] = /max_connections(?:=|":")(\d+)/.exec(text)!
    expect(connections).toBeLessThan(Number(max) - 20)
  })

  test("PostgreSQL keeps some of its log files, and may have more: CloudNativePG wants it so", () => {
    const text = JSON.stringify(documents)
    const [min, max] = ["min", "max"].map(name =>
      Number(new RegExp(`${name}_wal_size(?:=|":")(\\d+)GB`).exec(text)?.[1]),
    ) as [number, number]
    expect(min).toBeGreaterThan(0)
    expect(max).toBeGreaterThan(min)
  })

  test("everything stands in the one namespace", () => {
    const others = documents.filter(({ kind, metadata }) =>
      kind === "Kustomization" || kind === "Namespace" ? false : metadata.namespace !== "tributary",
    )
    expect(others).toEqual([])
  })

  const chosen = (labels: Labels) =>
    pods
      .filter(pod => Object.entries(labels).every(([key, value]) => pod.labels[key] === value))
      .map(({ name }) => name)
})
