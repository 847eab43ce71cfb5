/**
 * The health endpoints `/livez`, `/readyz` and `/healthz` and their single checks. The list
 * withholds reasons because everyone may read it; single checks, which need a permission, contain
 * them.
 */
import { goQuote } from '../../formats/go-quote.ts';
import { type HandlerResponse, textResponse } from '../http/handler-response.ts';
import type { Target } from '../http/target.ts';

export interface HealthCheck {
  readonly name: string;
  /** Returns the reason of a failure; `undefined` if healthy. */
  problem(): string | undefined;
  /**
   * Returns what a healthy check could not reach, for checks that kube-apiserver does not have.
   * Everyone may read it.
   */
  note?(): string | undefined;
}

/** Returns the result of all checks: `ok`, or one line per check with `?verbose` or on failure. */
export const healthResponse = (
  name: string,
  checks: readonly HealthCheck[],
  target: Target,
): HandlerResponse => {
  const excluded = new Set(target.query.get('exclude') ?? []);
  const unknown = new Set(excluded);
  const lines: string[] = [];
  let failed = false;
  for (const check of checks) {
    if (excluded.has(check.name)) {
      unknown.delete(check.name);
      lines.push(`[+]${check.name} excluded: ok`);
    } else {
      const isHealthy = check.problem() === undefined;
      const note = check.note?.();
      failed ||= !isHealthy;
      const result = isHealthy ? 'ok' : 'failed: reason withheld';
      lines.push(
        `[${isHealthy ? '+' : '-'}]${check.name} ${result}${note === undefined ? '' : ` (${note})`}`,
      );
    }
  }
  if (unknown.size > 0) {
    const names = [...unknown].sort().map((text) => goQuote(text));
    lines.push(`warn: some health checks cannot be excluded: no matches for ${names.join(',')}`);
  }
  const list = lines.map((line) => `${line}\n`).join('');
  if (failed) return textResponse(500, `${list}${name} check failed\n`);
  return textResponse(200, target.query.has('verbose') ? `${list}${name} check passed\n` : 'ok');
};

/** Returns the result of one check. */
export const checkResponse = (check: HealthCheck): HandlerResponse => {
  const problem = check.problem();
  if (problem !== undefined) return textResponse(500, `internal server error: ${problem}\n`);
  return { status: 200, headers: [['Content-Type', 'text/plain; charset=utf-8']], body: 'ok' };
};
