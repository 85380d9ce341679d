import { sql } from "../db"

/** Whether a program takes no new sales. One that is stored goes on (behaviour 3.2.1). */
export async function isArchived(program_id: number): Promise<boolean> {
  const [archived] = await sql`
    select 1
    from programs
    where program_id = ${program_id}
      and status = 'archived'
  `
  return archived !== undefined
}
