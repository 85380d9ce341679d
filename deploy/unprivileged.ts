const NOBODY = 65_534

/** How to run a program so that it does not see itself as root, and whose its files must be. */
export type Launch = { wrapper: string[]; uid: number }

/**
 * PostgreSQL refuses to run as root. Returns the first way in which all `probes` succeed: in a
 * user namespace, where root's files stay root's; or as nobody, who then may enter any folder.
 */
export function unprivileged(probes: string[][]): Launch {
  const uid = process.getuid?.() ?? NOBODY
  const ways: Launch[] =
    uid === 0
      ? [
          { wrapper: [...USER_NAMESPACE, ...DIES_WITH_PARENT], uid: 0 },
          { wrapper: [...NOBODY_WHO_ENTERS, ...DIES_WITH_PARENT], uid: NOBODY },
        ]
      : [{ wrapper: DIES_WITH_PARENT, uid }]

  const reasons = ways.map(way => failureOf(way, probes))
  const way = ways[reasons.indexOf(null)]
  if (way) return way
  throw new Error(
    `PostgreSQL does not start here. Run as an ordinary user or set DATABASE_URL. ${reasons.at(-1)}`,
  )
}

function failureOf({ wrapper }: Launch, probes: string[][]): string | null {
  for (const probe of probes) {
    const [program, ...args] = [...wrapper, ...probe] as [string, ...string[]]
    if (!Bun.which(program)) return `There is no ${program}.`
    const { success, stderr } = Bun.spawnSync([program, ...args], { stderr: "pipe" })
    if (!success) return `${stderr}`.trim() || `${probe.join(" ")} failed.`
  }
  return null
}

const USER_NAMESPACE = ["unshare", "--user", `--map-user=${NOBODY}`, `--map-group=${NOBODY}`, "--"]

const CAPABILITIES = "-all,+dac_override"
const NOBODY_WHO_ENTERS = [
  "setpriv",
  `--reuid=${NOBODY}`,
  `--regid=${NOBODY}`,
  "--clear-groups",
  `--inh-caps=${CAPABILITIES}`,
  `--ambient-caps=${CAPABILITIES}`,
  `--bounding-set=${CAPABILITIES}`,
  "--securebits=+no_setuid_fixup",
  "--",
]

/** Before a command: when our process dies, however it may, the kernel interrupts that one. */
export const DIES_WITH_PARENT = Bun.which("setpriv") ? ["setpriv", "--pdeathsig", "INT", "--"] : []
