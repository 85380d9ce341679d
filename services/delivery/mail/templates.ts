import type { Mail } from "./contract"

/**
 * A mail in plain words. Paragraphs are separated by empty lines. `[label]({{link}})` alone in a
 * paragraph is a link, and `{{items}}` alone a list with an item for each of its lines. Other
 * `{{names}}` are filled with values.
 */
export type Template = { subject: string; body: string }

type Templates = { [Name in Mail["template"]]: Template }

export const TEMPLATES: Templates = {
  invitation: {
    subject: "{{program}} invites you to become a partner",
    body: `
Hello,

{{program}} invites you to become a partner. Accept the invitation to see your links, sales and
commissions.

[Accept the invitation]({{link}})

This link is for you only. It can be used once, until {{expires_at}}. If you were not expecting this
e-mail, you can ignore it.`,
  },
  member_invitation: {
    subject: "{{inviter}} invites you to {{workspace}}",
    body: `
Hello,

{{inviter}} invites you to join the workspace {{workspace}} on Tributary as {{role}}.

[Accept the invitation]({{link}})

This link is for you only. It can be used once, until {{expires_at}}. If you were not expecting this
e-mail, you can ignore it.`,
  },
  notice: {
    subject: "{{subject}}",
    body: `
{{message}}

[Open Tributary]({{link}})

You are receiving this e-mail because of your notification settings.

[Unsubscribe from e-mails like this]({{unsubscribe_url}})`,
  },
  digest: {
    subject: "Tributary: {{count}} notifications",
    body: `
Here is what happened:

{{items}}

[Open Tributary]({{link}})

You are receiving this e-mail because of your notification settings.

[Unsubscribe from e-mails like these]({{unsubscribe_url}})`,
  },
}
