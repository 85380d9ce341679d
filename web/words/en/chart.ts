export const words = {
  asTable: "As table",
  day: "Day (UTC)",
  unfinished: "Today, unfinished",
  move: "Move with the arrow keys",
}
