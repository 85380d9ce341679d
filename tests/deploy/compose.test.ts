import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import { manifests as writtenManifests } from "../../deploy/manifests"
import { PART_NAMES, SERVICE_NAMES } from "../../deploy/part"
import { NATS_RUNTIME } from "../../deploy/servers"
import { startedWith } from "./valkey"

type Service = {
  image: string
  command?: string[]
  environment: Record<string, string>
  depends_on?: Record<string, { condition: string }>
  healthcheck?: { test?: string[]; disable?: boolean }
  read_only?: boolean
  cap_drop?: string[]
  security_opt?: string[]
  networks: string[]
  ports?: string[]
}

const deploy = join(import.meta.dir, "../../deploy")
const text = await Bun.file(join(deploy, "compose.yaml")).text()
const { services } = Bun.YAML.parse(text) as { services: Record<string, Service> }
const manifests = Object.values(await writtenManifests()).join()
const IMAGE_SERVICES = [...PART_NAMES, "migrate"]

describe("compose.yaml", () => {
  test("runs each process of the image, and PostgreSQL, NATS and Valkey", () => {
    const names = [...IMAGE_SERVICES, "postgres", "nats", "valkey"]
    expect(Object.keys(services).toSorted()).toEqual(names.toSorted())
    for (const name of IMAGE_SERVICES) expect(services[name]!.environment.SERVICE).toBe(name)
  })

  test.each(IMAGE_SERVICES)("makes %s read-only and unprivileged", name => {
    const { read_only, cap_drop, security_opt } = services[name]!
    expect({ read_only, cap_drop, security_opt }).toEqual({
      read_only: true,
      cap_drop: ["ALL"],
      security_opt: ["no-new-privileges:true"],
    })
  })

  test("exposes only the gateway, and lets only delivery connect to the Internet", () => {
    const namesOf = (isFound: (service: Service) => boolean) =>
      Object.keys(services).filter(name => isFound(services[name]!))
    expect(namesOf(({ ports }) => ports !== undefined)).toEqual(["gateway"])
    expect(namesOf(({ networks }) => networks.includes("outside"))).toEqual(["gateway", "delivery"])
  })

  test("gives each service only the secrets that it needs", () => {
    const servicesWith = (name: string) =>
      IMAGE_SERVICES.filter(service => services[service]!.environment[name] !== undefined)
    const keyOf = (name: string) => services[name]!.environment.SECRET_KEY
    expect(servicesWith("SECRET_KEY")).toEqual(["identity", "tracking", "delivery", "gateway"])
    for (const name of ["tracking", "delivery"]) expect(keyOf(name)).toBe(keyOf("identity"))
    expect(keyOf("gateway")).not.toBe(keyOf("identity"))
    expect(servicesWith("DATABASE_URL")).toEqual(["migrate"])
    for (const service of SERVICE_NAMES) {
      const variable = `${service.toUpperCase()}_DATABASE_URL`
      expect(servicesWith(variable)).toEqual([service, "migrate"])
      expect(services[service]!.environment[variable]).toStartWith(
        `postgres://tributary_${service}:`,
      )
    }
    expect(servicesWith("REDIS_URL")).toEqual(["gateway"])
    for (const part of PART_NAMES) {
      const password = `\${${part.toUpperCase()}_PASSWORD:?}`
      expect(services[part]!.environment.NATS_URL).toBe(`nats://${part}:${password}@nats:4222`)
    }
  })

  test("gives NATS all passwords of its users, and explains how to create the secrets", async () => {
    const conf = await Bun.file(join(deploy, "nats.conf")).text()
    const variables = [...conf.matchAll(/\$(\w+)/g)].map(([, name]) => name!)
    const { GOGC, ...passwords } = services.nats!.environment
    expect({ GOGC }).toEqual(NATS_RUNTIME)
    expect(Object.keys(passwords).toSorted()).toEqual(variables.toSorted())
    const head = text.slice(0, text.indexOf("name: tributary"))
    const secrets = [...text.matchAll(/\$\{(\w+):\?\}/g)].map(([, name]) => name!)
    for (const name of secrets) expect(head).toContain(name)
  })

  test.skipIf(!Bun.which("redis-server"))(
    "shows Valkey's password on no command line",
    async () => {
      const command = services.valkey!.command!.map(word => word.replaceAll("$$", "$"))
      expect(await startedWith(command)).toEqual({ isProtected: true, isShown: false })
    },
  )

  test("waits for healthy servers and migrated schemas, and pins the images of the servers", () => {
    for (const name of SERVICE_NAMES) {
      expect(services[name]!.depends_on).toMatchObject({
        migrate: { condition: "service_completed_successfully" },
        nats: { condition: "service_healthy" },
      })
    }
    for (const name of ["postgres", "nats", "valkey"]) {
      expect(services[name]!.healthcheck?.test).toBeArray()
      expect(services[name]!.image).toMatch(/:\d[\w.-]*@sha256:[0-9a-f]{64}$/)
      expect(manifests.includes(services[name]!.image), name).toBe(true)
    }
  })
})
