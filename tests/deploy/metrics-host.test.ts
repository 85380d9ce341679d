import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import { freePort } from "../../deploy/port"
import { launch } from "../support/launcher"

const TIMEOUT_MS = 60_000
const LOOPBACK = "127.0.0.1"
const OTHER = "127.0.0.2" // an address of this machine too, on which only a server of all listens

describe.skipIf(process.platform !== "linux")("metrics are served", () => {
  test.each<[what: string, environment: Record<string, string>, isOpen: boolean]>([
    ["on loopback alone", {}, false],
    ["where METRICS_HOST says", { METRICS_HOST: "0.0.0.0" }, true],
  ])(
    "%s",
    async (_what, environment, isOpen) => {
      const METRICS_PORT = `${await freePort()}`
      const launcher = await launch({ METRICS_PORT, ...environment })
      await launcher.ready
      const isServed = (address: string) =>
        fetch(`http://${address}:${METRICS_PORT}/metrics`).then(
          ({ ok }) => ok,
          () => false,
        )
      expect([await isServed(LOOPBACK), await isServed(OTHER)]).toEqual([true, isOpen])
    },
    TIMEOUT_MS,
  )
})

test("a METRICS_HOST that is no address of this machine is refused with one sentence", async () => {
  const METRICS_PORT = `${await freePort()}`
  const launcher = await launch({ METRICS_PORT, METRICS_HOST: "192.0.2.1" })
  expect(await launcher.ended).toBe(1)
  expect(launcher.output()).toEndWith(
    `METRICS_HOST, METRICS_PORT: cannot listen on 192.0.2.1:${METRICS_PORT}.\n`,
  )
})

test("the image serves metrics to other machines", async () => {
  const dockerfile = await Bun.file(join(import.meta.dir, "../../deploy/Dockerfile")).text()
  expect(dockerfile).toMatch(/ENV (?:.*\\\n)*.*METRICS_HOST=0\.0\.0\.0/)
})
