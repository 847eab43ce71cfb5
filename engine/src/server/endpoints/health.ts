/**
 * /livez, /readyz, /healthz and their single checks. Reasons are withheld from the list, which
 * everybody may read, and told by the single check, which few may.
 */
import { goQuote } from '../../formats/go-quote.ts';
import { type HandlerResponse, textResponse } from '../http/handler-response.ts';
import type { Target } from '../http/target.ts';

export interface HealthCheck {
  readonly name: string;
  /** `undefined` when all is well, else why not. */
  problem(): string | undefined;
}

/** The whole list: `ok`, or line by line with `?verbose` and whenever something fails. */
export const healthAnswer = (
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
    } else if (check.problem() === undefined) {
      lines.push(`[+]${check.name} ok`);
    } else {
      failed = true;
      lines.push(`[-]${check.name} failed: reason withheld`);
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

/** One check. */
export const checkAnswer = (check: HealthCheck): HandlerResponse => {
  const problem = check.problem();
  if (problem !== undefined) return textResponse(500, `internal server error: ${problem}\n`);
  return { status: 200, headers: [['Content-Type', 'text/plain; charset=utf-8']], body: 'ok' };
};
