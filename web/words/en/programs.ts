export const words = {
  name: "Program",
  status: "Status",
  statuses: { active: "Active", paused: "Paused", archived: "Archived" },
  currency: "Currency",
  since: "Since",
  create: "Create a program",
  caption: "Programs of this workspace",
  empty: "No programs yet",
}
