import { watch } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dir, "..")
const FOLDERS = ["gateway", "services", "lib", "deploy"]
const DEBOUNCE_MS = 200 // an editor or git writes several files at once

/** `npm run dev`: `npm start` that restarts when a source file changes. Data stays in DATA_DIR. */
let child = start()
let timer: Timer | undefined
let isRestarting = false

for (const folder of FOLDERS) {
  watch(join(root, folder), { recursive: true }, (_event, file) => {
    if (!/\.(ts|sql)$/.test(String(file))) return
    clearTimeout(timer)
    timer = setTimeout(() => restart(`${folder}/${file}`), DEBOUNCE_MS)
  })
}

for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
  process.on(signal, async () => {
    child.kill(signal)
    process.exit(await child.exited)
  })
}

async function restart(file: string) {
  if (isRestarting) return
  isRestarting = true
  console.log(`\n${file} changed, restarting…`)
  child.kill("SIGTERM")
  await child.exited
  isRestarting = false
  child = start()
}

function start() {
  return Bun.spawn([process.execPath, join(import.meta.dir, "local.ts")], {
    cwd: root,
    stdio: ["inherit", "inherit", "inherit"],
    onExit: (_child, code) => {
      if (code) console.log(`Tributary exited with code ${code}. It restarts when a file changes.`)
    },
  })
}
