const WIDTH = 100
const HEIGHT = 8

/** A bar as wide as a share, from 0 to 1, of its place. */
export function Bar({ share }: { share: number }) {
  return (
    <svg
      class="bar"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <rect class="bar-all" width={WIDTH} height={HEIGHT} />
      <rect class="bar-part" width={Math.max(share * WIDTH, share > 0 ? 1 : 0)} height={HEIGHT} />
    </svg>
  )
}
