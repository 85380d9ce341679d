export const words = {
  asTable: "As table",
  day: "Day (UTC)",
  move: "Move with the arrow keys",
}
