export const words = {
  withoutScript: "This page needs JavaScript. What it does, the API can do as well.",
  reference: "API reference",
}
