import { useId, useState } from "preact/hooks"
import { words } from "../../words/en/branding"

const BYTES_MAX = 256 * 1024

/** Chooses a logo, as a data URL, or removes it with null. */
export function LogoField({
  hasLogo,
  onChange,
}: {
  hasLogo: boolean
  onChange(logo: string | null): void
}) {
  const id = useId()
  const [isTooLarge, setTooLarge] = useState(false)
  const choose = (file: File | undefined) => {
    setTooLarge(file !== undefined && file.size > BYTES_MAX)
    if (!file || file.size > BYTES_MAX) return
    const reader = new FileReader()
    reader.onload = () => onChange(`${reader.result}`)
    reader.readAsDataURL(file)
  }
  return (
    <div class="field">
      <label for={id}>{words.logo}</label>
      <input
        id={id}
        type="file"
        accept="image/png,image/webp,image/jpeg"
        aria-describedby={`${id}-hint`}
        onChange={({ currentTarget }) => choose(currentTarget.files?.[0])}
      />
      <p class="hint" id={`${id}-hint`} role={isTooLarge ? "alert" : undefined}>
        {isTooLarge ? words.logoTooLarge : words.logoHint}
      </p>
      {hasLogo && (
        <div class="actions">
          <button type="button" onClick={() => onChange(null)}>
            {words.removeLogo}
          </button>
        </div>
      )}
    </div>
  )
}
