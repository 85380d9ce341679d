import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"

type Environment = Record<string, string>

/** Runs `npm run audit` against a system. */
export const runAudit = (data_dir: string, environment: Environment = {}) =>
  run("audit", data_dir, environment)

/** Runs `npm run rebuild-reports` against a system. */
export const runRebuildReports = (data_dir: string, environment: Environment = {}) =>
  run("rebuild-reports", data_dir, environment)

/** Runs `npm run invite-owner` on the machine of a system. */
export const runInviteOwner = (data_dir: string, options: string[]) =>
  run("invite-owner", data_dir, {}, options)

/** Runs `npm run mark-restored` against a system. */
export const runMarkRestored = (data_dir: string) => run("mark-restored", data_dir, {})

/** Runs a command as an operator does: over the NATS of the system, if it has one. */
async function run(
  name: string,
  data_dir: string,
  environment: Environment,
  options: string[] = [],
) {
  const script = join(import.meta.dir, `../../deploy/${name}.ts`)
  const child = Bun.spawn([process.execPath, script, ...options], {
    cwd: join(import.meta.dir, "../.."), // where bunfig.toml is
    env: {
      ...process.env,
      DATABASE_URL: "",
      DATA_DIR: data_dir,
      ...natsOf(data_dir),
      ...environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
  })
  const output = await Promise.all(
    [child.stdout, child.stderr].map(stream => new Response(stream).text()),
  )
  return { code: await child.exited, output: output.join("") }
}

function natsOf(data_dir: string): { NATS_URL: string } {
  const file = join(data_dir, "nats.json")
  return { NATS_URL: existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).operator : "" }
}
