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

{{program}} invites you to its partner program. Accept the invitation to see your links, your sales
and your commissions.

[Accept the invitation]({{link}})

The link is for you alone and works once, until {{expires_at}}. If you did not expect this mail, you
can ignore it.`,
  },
  member_invitation: {
    subject: "{{inviter}} invites you to {{workspace}}",
    body: `
Hello,

{{inviter}} invites you to the workspace {{workspace}} on Tributary, in the role {{role}}.

[Accept the invitation]({{link}})

The link is for you alone and works once, until {{expires_at}}. If you did not expect this mail, you
can ignore it.`,
  },
  notice: {
    subject: "{{subject}}",
    body: `
{{message}}

[Open Tributary]({{link}})

You get this mail because of your notification settings.

[Stop mails of this kind]({{unsubscribe_url}})`,
  },
  digest: {
    subject: "{{count}} notifications",
    body: `
This is what happened:

{{items}}

[Open Tributary]({{link}})

You get this mail because of your notification settings.

[Stop mails of these kinds]({{unsubscribe_url}})`,
  },
}
