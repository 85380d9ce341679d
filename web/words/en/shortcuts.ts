export const words = {
  title: "Keyboard",
  keys: [
    ["/", "Search"],
    ["g o", "Go to the overview"],
    ["g e", "Go to the events"],
    ["g p", "Go to the partners"],
    ["g l", "Go to the links"],
    ["g c", "Go to the commissions"],
    ["j k", "Next and previous row"],
    ["x", "Select a row"],
    ["a r", "Approve or reject what is selected"],
    ["?", "This list"],
  ] as [string, string][],
  single: "Use single keys",
}
