/** The list of authenticators is empty: kube-apiserver loads the file, and it has no effect. */
import { span } from '../source/span.ts';
import { defineLint } from './parts/define-lint.ts';

export const emptyJwt = defineLint({
  code: 'AG4025',
  name: 'empty-jwt',
  summary: 'The list jwt is empty, and the file configures nothing else.',
  message: () =>
    'jwt is empty: kube-apiserver loads the file and accepts no token of an identity provider',
  help: () => 'Add an entry with issuer and claimMappings; `authgraph new` writes one.',
  check({ configuration, diagnostics, document: { data } }, report) {
    if (configuration === undefined || configuration.anonymous !== undefined) return;
    // An error says more about a value of another type.
    if (configuration.jwt.length > 0 || diagnostics.some(({ severity }) => severity === 'error'))
      return;
    const field = data?.kind === 'object' ? data.byKey.get('jwt') : undefined;
    if (field === undefined) return;
    const { keySpan, value } = field;
    report(span(keySpan.start, Math.max(keySpan.end, value.span.end)), {});
  },
});
