/** Carries messages between services. `send` rejects with Fault "unavailable" without a reply. */
export interface Transport {
  clockToleranceMs: number // how much the clocks of members may differ
  send(subject: string, message: string, withinMs: number): Promise<string>
  listen(service: string, subject: string, receive: Receive): Promise<void>
  stopListening(): Promise<void>
  close(): Promise<void>
}
export type Receive = (message: string, respond: Respond) => void
export type Respond = (reply: string) => void
