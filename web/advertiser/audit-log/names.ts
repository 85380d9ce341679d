import { useAnswer } from "../../answers"
import type { Entry } from "../audit-log"

const ALL = { pageSize: 100 }

/** The programs of a workspace, for their names and currencies. */
export const usePrograms = (workspace: number) =>
  useAnswer("listPrograms", { workspace, query: ALL }).data?.data ?? []

/** The name of a partner. Undefined: not known yet, or the partner is not of this program. */
export function usePartnerName(program_id: number | null, partner_id: number): string | undefined {
  const params = { id: program_id ?? 0, partnerId: partner_id }
  return useAnswer("showPartner", { params }, { isEnabled: program_id !== null }).data?.data.name
}

/** The sale of a commission. */
export function useSaleOf({ subject, program_id }: Entry) {
  const params = { id: program_id ?? 0 }
  const query = { commission_id: `${subject.id}`, pageSize: 1 }
  const isEnabled = program_id !== null
  return useAnswer("listCommissions", { params, query }, { isEnabled }).data?.data[0]
}

/** The code of a link: of the entry that created it, else of the newest links of the program. */
export function useLinkCode({ subject, program_id, details }: Entry): string | undefined {
  const { code } = Object(details) as { code?: string }
  const isEnabled = program_id !== null && code === undefined
  const input = { params: { id: program_id ?? 0 }, query: ALL }
  const links = useAnswer("listLinks", input, { isEnabled }).data?.data
  return code ?? links?.find(({ id }) => id === subject.id)?.code
}

export const useKeyName = (workspace: number, key_id: number) =>
  useAnswer("listKeys", { workspace, query: ALL }).data?.data.find(({ id }) => id === key_id)?.name

export const useMemberName = (workspace_id: number, of: number) =>
  useAnswer("listMembers", { params: { id: workspace_id }, query: ALL }).data?.data.find(
    ({ user_id }) => user_id === of,
  )?.name

/** The host of a webhook's address. */
export function useWebhookHost(workspace: number, { subject, details }: Entry): string | undefined {
  const { host } = Object(details) as { host?: string }
  const endpoints = useAnswer("listWebhookEndpoints", { workspace, query: ALL }).data?.data
  const url = endpoints?.find(({ id }) => id === subject.id)?.url
  return host ?? (url && new URL(url).host)
}
