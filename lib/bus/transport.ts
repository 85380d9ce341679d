/** How messages travel. Where no answer comes, sending rejects with Fault "unavailable". */
export interface Transport {
  clock_tolerance_ms: number // by how much the clocks of its members may differ
  send(subject: string, message: string, within_ms: number): Promise<string>
  listen(service: string, subject: string, receive: Receive): Promise<void>
  stopListening(): Promise<void>
  close(): Promise<void>
}
export type Receive = (message: string, respond: Respond) => void
export type Respond = (answer: string) => void
