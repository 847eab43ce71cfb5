/** Answers cases about the table of flags and about what no flag can change. */
import { webhookBackoff } from '../../../engine/src/authenticators/webhook-token/call-webhook.ts';
import { defaultSuccessTtlMs } from '../../../engine/src/model/limits.ts';
import { recordedFlags } from './recorded-args.ts';

export const answerFlags = (): object => {
  const { firstMs, factor, jitter, tries } = webhookBackoff;
  return {
    flags: recordedFlags
      .map(({ name, type, default: value }) => ({ default: value, name, type }))
      .sort((one, other) => (one.name < other.name ? -1 : 1)),
    tokenFailureCacheTTL: '0s',
    tokenSuccessCacheTTL: `${defaultSuccessTtlMs / 1000}s`,
    webhookRetryBackoff: `{Duration:${firstMs}ms Factor:${factor} Jitter:${jitter} Steps:${tries} Cap:0s}`,
  };
};
