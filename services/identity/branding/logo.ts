import { Fault } from "../../../lib/fault"

const BYTES_MAX = 256 * 1024
const SIDE_MAX = 512
const PIXELS_MAX = 16_000_000 // a small file may claim a huge canvas
const FORMATS = ["png", "webp", "jpeg"]

/**
 * Decodes a logo and encodes it again as WebP of at most 512 × 512 pixels, so that nothing is served
 * that only looks like an image. Throws "invalid".
 */
export async function encodeLogo(base64: string): Promise<Buffer> {
  const bytes = bytesOf(base64)
  try {
    const options = { maxPixels: PIXELS_MAX }
    const { format } = await new Bun.Image(bytes, options).metadata()
    if (!FORMATS.includes(format)) throw invalid()
    return await new Bun.Image(bytes, options)
      .resize(SIDE_MAX, SIDE_MAX, { fit: "inside", withoutEnlargement: true })
      .webp({ quality: 90 })
      .buffer()
  } catch (error) {
    throw isImageError(error) ? invalid() : error
  }
}

function bytesOf(base64: string): Uint8Array {
  try {
    const bytes = Uint8Array.fromBase64(base64)
    if (bytes.byteLength > 0 && bytes.byteLength <= BYTES_MAX) return bytes
  } catch {} // no base64
  throw invalid()
}

const isImageError = (error: unknown): boolean =>
  /^ERR_IMAGE_/.test(`${(Object(error) as { code?: unknown }).code}`)

const invalid = () =>
  new Fault(
    "invalid",
    "logo must be a PNG, WebP or JPEG of at most 256 KiB and 16 million pixels, in base64.",
  )
