/** Where webhooks may be sent: an address of the Internet. Tests send nothing to it. */
export const RECEIVER = "https://93.184.215.14/hooks"
