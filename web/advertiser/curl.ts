import type { RefusedCall } from "./refused-call"

/** A call to a tracking endpoint, for a shell. Without a token it stands as a variable. */
export function curlOf(
  route: RefusedCall["route"],
  body: object,
  token: string | null = "$TRACKING_TOKEN",
): string {
  const lines = [
    `curl -X POST ${location.origin}/api/v1/track/${route}`,
    '-H "Content-Type: application/json"',
    ...(token === null ? [] : [`-H "Authorization: Bearer ${token}"`]),
    `-d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`,
  ]
  return lines.join(" \\\n  ")
}
