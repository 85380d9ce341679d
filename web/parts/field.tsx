import type { ComponentChildren, JSX } from "preact"
import { useId } from "preact/hooks"

type FieldProps = {
  name: string
  label: string
  /** Explains what the field means or when it takes effect. */
  hint?: ComponentChildren
  type?: "text" | "email" | "password" | "url" | "number" | "search" | "date" | "color"
  value?: string | number | null
  isOptional?: boolean
  /** Many lines. */
  rows?: number
} & Pick<
  JSX.IntrinsicElements["input"],
  | "autoComplete"
  | "maxLength"
  | "min"
  | "max"
  | "step"
  | "placeholder"
  | "inputMode"
  | "onInput"
  | "pattern"
>

/** A labelled field. Its value is read by the form that it stands in. */
export function Field({
  label,
  hint,
  value,
  rows,
  isOptional,
  type = "text",
  ...rest
}: FieldProps) {
  const id = useId()
  const attributes = {
    id,
    required: !isOptional,
    defaultValue: value ?? "",
    "aria-describedby": hint ? `${id}-hint` : undefined,
    ...rest,
  }
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {rows ? (
        <textarea {...(attributes as JSX.IntrinsicElements["textarea"])} rows={rows} />
      ) : (
        <input {...attributes} type={type} />
      )}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}

/** One of several values, by [value, text]. */
export function Select({
  name,
  label,
  hint,
  value,
  options,
  onChange,
}: {
  name: string
  label: string
  hint?: ComponentChildren
  value?: string
  options: [value: string, text: string][]
  onChange?: (value: string) => void
}) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        name={name}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={({ currentTarget }) => onChange?.(currentTarget.value)}
      >
        {options.map(([option, text]) => (
          <option key={option} value={option} selected={option === value}>
            {text}
          </option>
        ))}
      </select>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}
