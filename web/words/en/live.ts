export const words = {
  intro: "What arrives now. This list asks again by itself.",
  caption: "The newest events and refused calls",
  what: "Show",
  real: "Real events",
  tests: "Tests",
  refused: "Refused",
  empty: "Nothing has arrived yet",
  emptyText: "The next click, lead or sale appears here within two seconds.",
  integrate: "Set up tracking",
}
