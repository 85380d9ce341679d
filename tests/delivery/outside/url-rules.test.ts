import { describe, expect, test } from "bun:test"
import { findUrlRefusal, GUARD } from "../../../services/delivery/outside/destination"
import { ownPorts } from "../../../services/delivery/outside/own-ports"

const guard = {
  ...GUARD,
  ...{ allows_http: false, ports: [], private_networks: [] },
  resolve: async () => ["93.184.215.14"],
}
const NOT_VALID = "The URL is not valid."
const NO_HTTPS = "The URL must begin with https."
const NO_USER = "The URL must not contain a user or password."
const WRONG_PORT = "The URL must have the port 443 or 8443."
const NOT_PUBLIC = "The URL must lead to public addresses of the Internet."

test.each([
  ["", NOT_VALID],
  ["hooks", NOT_VALID],
  ["https://", NOT_VALID],
  ["https://256.1.1.1/", NOT_VALID],
  ["https://[fe80::1%25eth0]/", NOT_VALID],
  ["https://hooks.example:65536/", NOT_VALID],
  ["http://hooks.example/", NO_HTTPS],
  ["ftp://hooks.example/", NO_HTTPS],
  ["file:///etc/passwd", NO_HTTPS],
  ["gopher://hooks.example/", NO_HTTPS],
  ["javascript:alert(1)", NO_HTTPS],
  ["data:text/plain,x", NO_HTTPS],
  ["https://ada@hooks.example/", NO_USER],
  ["https://ada:secret@hooks.example/", NO_USER],
  ["https://:secret@hooks.example/", NO_USER],
  ["https://hooks.example:80/", WRONG_PORT],
  ["https://hooks.example:0/", WRONG_PORT],
  ["https://hooks.example:22/", WRONG_PORT],
])("%p is refused: %s", async (url, refusal) => {
  expect(await findUrlRefusal(url, guard)).toBe(refusal)
})

test.each([
  "https://hooks.example/",
  "https://hooks.example./",
  "https://hooks.example:443/a?b=c#d",
  "https://hooks.example:8443/",
  "https://bücher.example/",
  "https://93.184.215.14/",
  "https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/",
  "https://[::ffff:93.184.215.14]/",
  "https://[64:ff9b::5db8:d70e]/",
  "https://[2002:5db8:d70e::1]/",
])("%s is allowed", async url => {
  expect(await findUrlRefusal(url, guard)).toBeNull()
})

test("2,048 characters are allowed, and no more", async () => {
  const urlOf = (length: number) => "https://hooks.example/".padEnd(length, "x")
  expect(await findUrlRefusal(urlOf(2_048), guard)).toBeNull()
  expect(await findUrlRefusal(urlOf(2_049), guard)).toContain("at most 2,048 characters")
})

describe("the operator allows", () => {
  test("private networks, and nothing beside them", async () => {
    const widened = {
      ...guard,
      private_networks: [
        ["10.1.0.0", 16],
        ["fd00::", 8],
      ] as [string, number][],
    }
    for (const host of ["10.1.2.3", "[::ffff:10.1.2.3]", "[64:ff9b::a01:203]", "[fd12::1]"]) {
      expect(await findUrlRefusal(`https://${host}/`, widened), host).toBeNull()
      expect(await findUrlRefusal(`https://${host}/`, guard), host).toBe(NOT_PUBLIC)
    }
    for (const host of ["10.2.0.1", "127.0.0.1", "[::1]", "[fe80::1]"]) {
      expect(await findUrlRefusal(`https://${host}/`, widened), host).toBe(NOT_PUBLIC)
    }
  })

  test("http", async () => {
    const widened = { ...guard, allows_http: true }
    expect(await findUrlRefusal("http://hooks.example/", widened)).toBeNull()
    expect(await findUrlRefusal("ftp://hooks.example/", widened)).toBe(NO_HTTPS)
  })

  test("more ports, but not Tributary's own on a private address", async () => {
    const widened = {
      ...guard,
      ports: [5432, 9443],
      private_networks: [["10.0.0.0", 8]] as [string, number][],
      ownPorts: () => [5432],
    }
    expect(await findUrlRefusal("https://10.0.0.1:9443/", widened)).toBeNull()
    expect(await findUrlRefusal("https://10.0.0.1:5432/", widened)).toBe(NOT_PUBLIC)
    expect(await findUrlRefusal("https://93.184.215.14:5432/", widened)).toBeNull()
    expect(await findUrlRefusal("https://hooks.example:1/", widened)).toBe(
      "The URL must have the port 443, 8443, 5432 or 9443.",
    )
  })
})

test("own ports are those of the settings, and of the URLs of servers", () => {
  const before = { ...process.env }
  process.env.TRACKING_DATABASE_URL = "postgres://ada@%2Frun%2Fpostgresql/tributary"
  process.env.REDIS_URL = "rediss://cache:7000"
  process.env.NATS_URL = "nats://a:b@bus:4333,tls://bus"
  const ports = ownPorts()
  for (const name of ["TRACKING_DATABASE_URL", "REDIS_URL", "NATS_URL"]) {
    process.env[name] = before[name]
    if (before[name] === undefined) delete process.env[name]
  }
  expect(ports).toEqual(expect.arrayContaining([5432, 7000, 4333, 4222]))
})

test("the settings are those of the operator", async () => {
  const program = `
    const { findUrlRefusal } = await import("./services/delivery/outside/destination")
    const hosts = ["10.1.0.1", "10.1.0.1:444", "10.1.0.1:5432", "10.1.0.1:9000", "[fd00::1]", "10.2.0.1"]
    console.log(JSON.stringify(await Promise.all(hosts.map(host => findUrlRefusal("http://" + host)))))
  `
  const { stdout } = Bun.spawnSync([process.execPath, "-e", program], {
    env: {
      ...process.env,
      DELIVERY_PRIVATE_NETWORKS: "10.1.0.0/16, fd00::/8",
      DELIVERY_ALLOW_HTTP: "on",
      DELIVERY_PORTS: "444,5432,9000",
      DATABASE_URL: "postgres://ada:secret@database/tributary",
      METRICS_PORT: "9000",
    },
  })
  expect(JSON.parse(stdout.toString())).toEqual([
    null,
    null,
    NOT_PUBLIC,
    NOT_PUBLIC,
    null,
    NOT_PUBLIC,
  ])
})

test.each([
  ["DELIVERY_PRIVATE_NETWORKS", "10.0.0.0"],
  ["DELIVERY_PRIVATE_NETWORKS", "10.0.0.0/33"],
  ["DELIVERY_PRIVATE_NETWORKS", "10.1/16"],
  ["DELIVERY_PRIVATE_NETWORKS", "intranet/8"],
  ["DELIVERY_PORTS", "0"],
  ["DELIVERY_PORTS", "444-450"],
  ["DELIVERY_PORTS", "65536"],
  ["DELIVERY_ALLOW_HTTP", "true"],
  ["DELIVERY_RETRIES", "5"],
  ["DELIVERY_RETRIES", "0s,5s,"],
  ["DELIVERY_RETRIES", "0s,-5s"],
  ["DELIVERY_RETRIES", "0s,169h"],
])("a process with %s=%s does not start", async (name, value) => {
  const child = Bun.spawn([process.execPath, "-e", 'await import("./lib/config")'], {
    env: { ...process.env, [name]: value },
    stderr: "pipe",
  })
  expect(await child.exited).not.toBe(0)
  expect(await new Response(child.stderr).text()).toContain(`${name} must be`)
})
