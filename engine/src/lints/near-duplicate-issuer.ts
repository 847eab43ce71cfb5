/** Two issuers that differ by a slash or by letter case: tokens match one of them, exactly. */
import type { Compilation } from '../compile/compile.ts';
import type { LocatedString } from '../config/configuration.ts';
import { defineRule } from '../diagnostics/rule.ts';
import { isSlash, trimEnd } from '../formats/trim.ts';

interface Args {
  readonly url: string;
  readonly other: string;
}

export const nearDuplicateIssuer = defineRule<Compilation, Args>({
  code: 'AG4007',
  name: 'near-duplicate-issuer',
  severity: 'warning',
  source: 'lint',
  summary: 'Two issuer URLs differ only in a trailing slash or in letter case.',
  message: ({ url, other }) =>
    `${JSON.stringify(url)} differs from ${JSON.stringify(other)} only by a slash or by letter case; a token matches exactly one of them`,
  help: () => 'Compare with the iss claim of a real token and remove the other entry.',
  check(compilation, report) {
    const first = new Map<string, LocatedString>();
    for (const { issuer } of compilation.configuration?.jwt ?? []) {
      const { url } = issuer;
      if (url === undefined) continue;
      const folded = trimEnd(url.value.toLowerCase(), isSlash);
      const earlier = first.get(folded);
      if (earlier === undefined) first.set(folded, url);
      else if (earlier.value !== url.value) {
        const related = [{ span: earlier.span, message: 'the other issuer' }];
        report(url.span, { url: url.value, other: earlier.value }, { related });
      }
    }
  },
});
