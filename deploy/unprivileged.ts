const UNPRIVILEGED_UID = 65_534

/** A command prefix that makes a program run as another user than root, and who owns its files. */
export type Launch = { wrapper: string[]; uid: number }

/**
 * Finds a way to run PostgreSQL, which refuses to run as root: the first in which all `probes`
 * succeed. A user namespace leaves the files to root. An unprivileged user, who gets the capability
 * to enter any folder, must own them.
 */
export function unprivilegedLaunch(probes: string[][]): Launch {
  const uid = process.getuid?.() ?? UNPRIVILEGED_UID
  const launches: Launch[] =
    uid === 0
      ? [
          { wrapper: [...USER_NAMESPACE, ...DIES_WITH_PARENT], uid: 0 },
          { wrapper: [...UNPRIVILEGED_USER, ...DIES_WITH_PARENT], uid: UNPRIVILEGED_UID },
        ]
      : [{ wrapper: DIES_WITH_PARENT, uid }]

  const reasons = launches.map(launch => failureOf(launch, probes))
  const launch = launches[reasons.indexOf(null)]
  if (launch) return launch
  throw new Error(
    `PostgreSQL cannot run here. Use an ordinary user or set DATABASE_URL. ${reasons.at(-1)}`,
  )
}

function failureOf({ wrapper }: Launch, probes: string[][]): string | null {
  for (const probe of probes) {
    const [program, ...args] = [...wrapper, ...probe] as [string, ...string[]]
    if (!Bun.which(program)) return `${program} is not installed.`
    const { success, stderr } = Bun.spawnSync([program, ...args], { stderr: "pipe" })
    if (!success) return `${stderr}`.trim() || `${probe.join(" ")} failed.`
  }
  return null
}

const USER_NAMESPACE = [
  "unshare",
  "--user",
  `--map-user=${UNPRIVILEGED_UID}`,
  `--map-group=${UNPRIVILEGED_UID}`,
  "--",
]

const CAPABILITIES = "-all,+dac_override"
const UNPRIVILEGED_USER = [
  "setpriv",
  `--reuid=${UNPRIVILEGED_UID}`,
  `--regid=${UNPRIVILEGED_UID}`,
  "--clear-groups",
  `--inh-caps=${CAPABILITIES}`,
  `--ambient-caps=${CAPABILITIES}`,
  `--bounding-set=${CAPABILITIES}`,
  "--securebits=+no_setuid_fixup",
  "--",
]

/** A command prefix: the kernel interrupts the command when its parent dies, even if killed. */
export const DIES_WITH_PARENT = Bun.which("setpriv") ? ["setpriv", "--pdeathsig", "INT", "--"] : []
