export const words = {
  selectAll: "Select all rows of this page",
  pages: "Pages",
  range: (from: string, to: string, total: string) => `${from}–${to} of ${total}`,
  previous: "Previous page",
  next: "Next page",
  search: "Search",
  all: "All",
}
