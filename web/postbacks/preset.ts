/**
 * The template for a tracker, from the address that it shows: the parameters of the preset replace
 * those of the same name, and others stay (behaviour 12.5.5).
 */
export function withPreset(address: string, preset: string): string {
  const filled = new Set(preset.split("&").map(nameOf))
  const [withoutFragment = ""] = address.trim().split("#")
  const [base, ...query] = withoutFragment.split("?")
  const kept = query
    .join("?")
    .split("&")
    .filter(parameter => parameter !== "" && !filled.has(nameOf(parameter)))
  return `${base}?${[...kept, preset].join("&")}`
}

const nameOf = (parameter: string) => parameter.split("=")[0]!
