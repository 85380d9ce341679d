export const words = {
  caption: "Workspaces that you belong to",
  name: "Workspace",
  role: "Your role",
  roles: { owner: "Owner", admin: "Admin", analyst: "Analyst", billing: "Billing" } as Record<
    string,
    string
  >,
  status: "Status",
  active: "Active",
  suspended: "Suspended",
  rename: "Rename…",
  renameHead: "Rename",
  renameLabel: (name: string) => `Rename ${name}`,
  renameTitle: (name: string) => `Rename ${name}`,
  renameHint: "All members see the new name at once. Addresses and keys stay as they are.",
  save: "Save the name",
  create: "Create a workspace",
  createTitle: "Create a workspace",
  createHint:
    "It has its own programs, members and keys. You become its owner. Each tab can be in another workspace.",
  submit: "Create the workspace",
  empty: "You belong to no workspace",
  emptyText: "Create one to run programs of your own, or accept an invitation.",
}
