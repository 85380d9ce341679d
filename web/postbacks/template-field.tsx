import { useId } from "preact/hooks"

/** A template that macros can be put into. `onFocus` says that they go here from now on. */
export function TemplateField({
  label,
  hint,
  value,
  rows,
  maxLength,
  placeholder,
  onFocus,
  onChange,
}: {
  label: string
  hint: string
  value: string
  rows: number
  maxLength: number
  placeholder?: string
  onFocus(field: HTMLTextAreaElement): void
  onChange(value: string): void
}) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea
        id={id}
        class="template"
        value={value}
        rows={rows}
        maxLength={maxLength}
        placeholder={placeholder}
        required
        spellcheck={false}
        aria-describedby={`${id}-hint`}
        onFocus={({ currentTarget }) => onFocus(currentTarget)}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
    </div>
  )
}

/** Puts a text where the cursor is in a field, in place of what is selected, and goes on there. */
export function insertInto(field: HTMLTextAreaElement, text: string) {
  field.setRangeText(text, field.selectionStart, field.selectionEnd, "end")
  field.dispatchEvent(new InputEvent("input", { bubbles: true }))
  field.focus()
}
