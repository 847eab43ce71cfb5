/** Answers the question for the table of flags, and for what no flag can change. */
import { webhookBackoff } from '../../../engine/src/authenticators/webhook-token/ask-webhook.ts';
import { acceptedLifetimeMs } from '../../../engine/src/model/limits.ts';
import { moduleFlags } from '../../../engine/src/server/modules/settings.ts';
import { serveFlags } from '../../../engine/src/server/serve-flags.ts';

const signing = 'service-account-signing-key-file';

/** Those of the real server's authentication; that of signing belongs to another part of it. */
const isRecorded = (name: string): boolean =>
  name !== signing &&
  (name.startsWith('oidc-') ||
    ['anonymous-auth', 'api-audiences', 'authentication-config'].includes(name) ||
    moduleFlags.some((row) => row.name === name));

export const answerFlags = (): object => {
  const { firstMs, factor, jitter, tries } = webhookBackoff;
  return {
    flags: serveFlags
      .filter(({ name }) => isRecorded(name))
      .map(({ name, type, default: value }) => ({ default: value, name, type }))
      .sort((one, other) => (one.name < other.name ? -1 : 1)),
    tokenFailureCacheTTL: '0s',
    tokenSuccessCacheTTL: `${acceptedLifetimeMs / 1000}s`,
    webhookRetryBackoff: `{Duration:${firstMs}ms Factor:${factor} Jitter:${jitter} Steps:${tries} Cap:0s}`,
  };
};
