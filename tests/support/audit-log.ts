import { send } from "./world"

export type Workspace = { session: string; workspace_id: number }

export const pathOf = ({ workspace_id }: Pick<Workspace, "workspace_id">) =>
  `/api/workspaces/${workspace_id}/audit-log`

export const list = (workspace: Workspace, query = "") =>
  send("GET", pathOf(workspace) + query, { token: workspace.session })

export const totalOf = async (workspace: Workspace): Promise<number> =>
  (await list(workspace)).body.meta.pagination.total

/** What stands in the log after `change`, and did not before; newest first. */
export async function written(workspace: Workspace, change: () => Promise<unknown>) {
  const before = await totalOf(workspace)
  await change()
  const { data, meta } = (await list(workspace, "?pageSize=100")).body
  return data.slice(0, meta.pagination.total - before)
}
