import { Fault } from "../../../lib/fault"

const PORTS = ["", "8443"] // "": 443

/** Throws "invalid" if events may not be sent to this URL. */
export async function checkUrl(url: string) {
  const { protocol, port, username, password } = URL.parse(url) ?? refuse("is not a URL")
  if (protocol !== "https:") refuse("must begin with https")
  if (username || password) refuse("must not contain a user or password")
  if (!PORTS.includes(port)) refuse("must have the port 443 or 8443")
}

function refuse(reason: string): never {
  throw new Fault("invalid", `url ${reason}.`)
}
