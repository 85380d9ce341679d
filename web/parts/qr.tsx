import { useEffect, useState } from "preact/hooks"
import { words } from "../words/en/qr"
import { Dialog } from "./dialog"

const BORDER = 4 // the quiet zone of the standard
const DOT_PX = 12

type Pictures = { svg: string; png: string }

/** A button that shows the QR code of an address, to download as SVG or PNG. */
export function QrButton({ text, name }: { text: string; name: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" aria-label={words.title(name)} onClick={() => setOpen(true)}>
        {words.show}
      </button>
      {isOpen && <QrDialog text={text} name={name} onClose={() => setOpen(false)} />}
    </>
  )
}

function QrDialog({ text, name, onClose }: { text: string; name: string; onClose(): void }) {
  const pictures = usePictures(text)
  return (
    <Dialog title={words.title(name)} onClose={onClose}>
      <div class="qr">
        {pictures && <img src={pictures.svg} alt={words.picture(text)} width={240} height={240} />}
        <code>{text}</code>
      </div>
      {pictures && (
        <div class="actions">
          <a class="button" href={pictures.svg} download={`${name}.svg`}>
            {words.svg}
          </a>
          <a class="button" href={pictures.png} download={`${name}.png`}>
            {words.png}
          </a>
        </div>
      )}
    </Dialog>
  )
}

/** The library is loaded with the first QR code. Undefined: not yet. */
function usePictures(text: string): Pictures | undefined {
  const [pictures, setPictures] = useState<Pictures>()
  useEffect(() => {
    void import("uqr").then(({ encode, renderSVG }) => {
      const options = { ecc: "M", border: BORDER } as const
      const svg = `data:image/svg+xml,${encodeURIComponent(renderSVG(text, options))}`
      setPictures({ svg, png: pngOf(encode(text, options).data) })
    })
  }, [text])
  return pictures
}

/** Draws rows of dots, black on white. */
function pngOf(rows: boolean[][]): string {
  const canvas = document.createElement("canvas")
  canvas.width = rows.length * DOT_PX
  canvas.height = canvas.width
  const context = canvas.getContext("2d")!
  context.fillStyle = "#ffffff"
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.fillStyle = "#000000"
  for (const [y, row] of rows.entries()) {
    for (const [x, isDark] of row.entries()) {
      if (isDark) context.fillRect(x * DOT_PX, y * DOT_PX, DOT_PX, DOT_PX)
    }
  }
  return canvas.toDataURL("image/png")
}
