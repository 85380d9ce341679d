export const words = {
  madeUp: "This is the demo program. Its history was made up.",
  remove: "Remove the demo",
  title: "Remove the demo program?",
  outcome:
    "Its links and its token stop working, and no list shows it any more. Its books are kept. " +
    "This cannot be undone.",
}
