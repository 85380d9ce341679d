import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { StageUnavailable } from "./stage"

const LIBRARY = "/usr/lib/*/faketime/libfaketime.so.1" // of the package faketime
const CACHE_SECONDS = 1

/** After this time every session has seen a step. */
export const SEEN_AFTER_MS = 2 * CACHE_SECONDS * 1_000

const fileOf = (folder: string) => join(folder, "clock")

/** The environment under which a program's clock is off by what `setClock` says. */
export function fakeClock(folder: string): Record<string, string> {
  const [library] = new Bun.Glob(LIBRARY.slice(1)).scanSync("/")
  if (!library) throw new StageUnavailable("libfaketime is not installed")
  setClock(folder, "+0")
  return {
    LD_PRELOAD: join("/", library),
    FAKETIME_TIMESTAMP_FILE: fileOf(folder),
    FAKETIME_CACHE_DURATION: `${CACHE_SECONDS}`,
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
    FAKETIME_DONT_RESET: "1",
  }
}

/** Sets the clock off by an offset such as "+20h". */
export const setClock = (folder: string, offset: string) =>
  writeFileSync(fileOf(folder), `${offset}\n`)
