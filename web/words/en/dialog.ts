export const words = {
  close: "Close",
  cancel: "Cancel",
  copy: "Copy",
  copied: "Copied.",
}
