import { send } from "./world"

export type Workspace = { session: string; workspace_id: number }

export const auditLogPath = ({ workspace_id }: Pick<Workspace, "workspace_id">) =>
  `/api/workspaces/${workspace_id}/audit-log`

export const listAuditLog = (workspace: Workspace, query = "") =>
  send("GET", auditLogPath(workspace) + query, { token: workspace.session })

export const countEntries = async (workspace: Workspace): Promise<number> =>
  (await listAuditLog(workspace)).body.meta.pagination.total

/** The entries that `change` added to the audit log, newest first. */
export async function entriesWrittenBy(workspace: Workspace, change: () => Promise<unknown>) {
  const before = await countEntries(workspace)
  await change()
  const { data, meta } = (await listAuditLog(workspace, "?pageSize=100")).body
  return data.slice(0, meta.pagination.total - before)
}
