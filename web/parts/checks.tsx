/** Any number of several values. */
export function Checks({
  legend,
  hint,
  options,
  chosen,
  onChange,
}: {
  legend: string
  hint?: string
  options: [value: string, text: string][]
  chosen: ReadonlySet<string>
  onChange(chosen: ReadonlySet<string>): void
}) {
  const toggle = (value: string) => onChange(chosen.symmetricDifference(new Set([value])))
  return (
    <fieldset class="choices">
      <legend>{legend}</legend>
      {hint && <p class="hint">{hint}</p>}
      {options.map(([value, text]) => (
        <label key={value}>
          <input type="checkbox" checked={chosen.has(value)} onChange={() => toggle(value)} />
          {text}
        </label>
      ))}
    </fieldset>
  )
}
