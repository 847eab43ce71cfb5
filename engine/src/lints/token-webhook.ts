/**
 * kube-apiserver tries its token authenticators one after the other, the webhook last. A token that
 * a JWT authenticator rejects may therefore still be accepted.
 */
import { defineLint } from './parts/define-lint.ts';

export const tokenWebhook = defineLint({
  code: 'AG4040',
  name: 'token-webhook',
  severity: 'information',
  summary:
    'The token webhook may accept tokens that the JWT authenticator of their issuer rejects.',
  message: () =>
    'tokens of this issuer that are rejected here, such as those that a rule rejects, are sent to the webhook of --authentication-token-webhook-config-file, which may accept them as another user',
  help: () =>
    'Make sure that the webhook rejects the tokens of this issuer, or let only one of the two authenticate them.',
  check({ configuration, settings }, report) {
    if (!settings.hasTokenWebhook) return;
    for (const { issuer } of configuration?.jwt ?? [])
      if (issuer.url !== undefined) report(issuer.url.span, {});
  },
});
