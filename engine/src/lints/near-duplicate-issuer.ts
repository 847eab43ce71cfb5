/** Two issuers that differ by a slash or by letter case: tokens match one of them, exactly. */
import type { LocatedString } from '../config/configuration.ts';
import { isSlash, trimEnd } from '../formats/trim.ts';
import { defineLint } from './parts/define-lint.ts';

interface Args {
  readonly url: string;
  readonly other: string;
}

export const nearDuplicateIssuer = defineLint<Args>({
  code: 'AG4007',
  name: 'near-duplicate-issuer',
  summary: 'Two issuer URLs differ only in a trailing slash or in letter case.',
  message: ({ url, other }) =>
    `${JSON.stringify(url)} differs from ${JSON.stringify(other)} only in a slash or in letter case; a token matches exactly one of them`,
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
