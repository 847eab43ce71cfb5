/**
 * Rules and mappings can contradict each other, so that no token passes all of them. The search for
 * evidence decides it: without a proof, nothing is reported.
 */
import { defineLint } from './parts/define-lint.ts';

interface Args {
  readonly isOnly: boolean;
}

export const rejectsEveryToken = defineLint<Args>({
  code: 'AG4028',
  name: 'rejects-every-token',
  summary: 'The rules and mappings of an issuer contradict each other, so every token is rejected.',
  message: ({ isOnly }) =>
    isOnly
      ? 'the file accepts no token: the rules and mappings of this issuer contradict each other'
      : 'the rules and mappings of this issuer contradict each other: every token is rejected',
  help: () => 'Remove one of the contradicting rules, or join them with ||.',
  check(compilation, report) {
    const entries = compilation.configuration?.jwt ?? [];
    entries.forEach(({ issuer: { url } }, entry) => {
      const question = { kind: 'entry rejects all', entry, isOpen: true } as const;
      if (url !== undefined) report(url.span, { isOnly: entries.length === 1 }, { question });
    });
  },
});
