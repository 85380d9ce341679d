import { chmodSync, cpSync, mkdirSync, readdirSync } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dir, "../..")
const IMAGE_UID = 65_532 // as in the Dockerfile

const dockerfile = await Bun.file(join(root, "deploy/Dockerfile")).text()
const [, ...stages] = dockerfile.replaceAll("\\\n", " ").split(/^FROM /m)
const wordsOf = (instruction: string, stage: string) =>
  [...stage.matchAll(new RegExp(`^${instruction} (.*)$`, "gm"))].map(([, line]) =>
    line!.trim().split(/\s+/),
  )

export const bases = stages.map(stage => stage.split(/\s/)[0]!)
export const user = wordsOf("USER", stages.at(-1)!)[0]![0]
export const entrypoint: string[] = JSON.parse(wordsOf("ENTRYPOINT", stages.at(-1)!)[0]!.join(" "))
const environment = Object.fromEntries(
  wordsOf("ENV", stages.at(-1)!).flatMap(words => words.map(word => word.split("=") as [string])),
)

/**
 * Copies what the image contains into a read-only folder, by the COPY lines of its Dockerfile, and
 * Bun. Returns a function that runs it as an unprivileged user without a home or temporary folder.
 */
export async function buildImage(folder: string) {
  const app = join(folder, "app")
  mkdirSync(app)
  for (const words of wordsOf("COPY", stages.at(-1)!)) {
    if (words[0]?.startsWith("--from=")) await copyPackages(app)
    else copy(words.slice(0, -1), join(app, words.at(-1)!), words.at(-1)!.endsWith("/"))
  }
  cpSync(process.execPath, join(folder, "bun"))
  await Bun.$`chmod -R a+rX,a-w ${app}`
  chmodSync(folder, 0o755)

  return (env: Record<string, string>, args = entrypoint.slice(1)) =>
    Bun.spawn([...UNPRIVILEGED, join(folder, "bun"), ...args], {
      cwd: app,
      env: { ...environment, HOME: "/nonexistent", TMPDIR: "/nonexistent", ...env },
      stdio: ["ignore", "pipe", "pipe"],
    })
}

function copy(sources: string[], target: string, isFolder: boolean) {
  for (const source of sources) {
    const name = isFolder ? join(target, source.split("/").at(-1)!) : target
    cpSync(join(root, source), name, { recursive: true })
  }
}

/** Copies the packages that `bun install --production --omit=optional` would install. */
async function copyPackages(app: string) {
  const { packages } = await Bun.file(join(root, "package-lock.json")).json()
  const isOmitted = ({ dev, optional, devOptional }: Record<string, boolean>) =>
    dev || optional || devOptional
  const paths = Object.keys(packages).filter(path => path && !isOmitted(packages[path]))
  for (const path of paths) {
    cpSync(join(root, path), join(app, path), {
      recursive: true,
      filter: source => !source.slice(join(root, path).length).includes("/node_modules/"),
    })
  }
}

const UNPRIVILEGED =
  process.getuid?.() === 0
    ? [
        "setpriv",
        `--reuid=${IMAGE_UID}`,
        `--regid=${IMAGE_UID}`,
        "--clear-groups",
        "--inh-caps=-all",
        "--bounding-set=-all",
        "--no-new-privs",
        "--",
      ]
    : []

/** Returns the paths of all files below a folder. */
export const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted()
