import { words } from "../../words/en/branding"

/** What partners will see. The color is an attribute of SVG, because the policy forbids styles. */
export function Preview({
  name,
  color,
  welcome,
  logo,
}: {
  name: string
  color: string
  welcome: string
  logo: string | null
}) {
  return (
    <figure class="brand-preview">
      <figcaption>{words.preview}</figcaption>
      {logo && <img src={logo} alt={words.logoOf(name)} />}
      <p class="brand-name">{name}</p>
      {welcome && <p class="brand-welcome">{welcome}</p>}
      <svg class="brand-button" viewBox="0 0 180 36" role="img" aria-label={words.previewText}>
        <rect width="180" height="36" rx="6" fill={color} />
        <text x="90" y="23" font-size="14" text-anchor="middle" fill="#ffffff">
          {words.previewText}
        </text>
      </svg>
    </figure>
  )
}
