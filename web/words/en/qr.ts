export const words = {
  show: "QR code",
  title: (name: string) => `QR code of ${name}`,
  svg: "Download SVG",
  png: "Download PNG",
  picture: (text: string) => `QR code that leads to ${text}`,
}
