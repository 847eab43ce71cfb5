/**
 * Finds a condition of the `anonymous` section that no request can match: paths are compared as a
 * whole, begin with a slash, and have neither a query nor wildcards.
 */
import type { LocatedString } from '../config/configuration.ts';
import { asAccessChanging, type Fix } from '../diagnostics/diagnostic.ts';
import { toFileSpan } from '../source/position-map.ts';
import { span } from '../source/span.ts';
import { defineLint } from './parts/define-lint.ts';

interface Args {
  readonly path: string;
  readonly reason: string;
}

export const unmatchedAnonymousPath = defineLint<Args>({
  code: 'AG4023',
  name: 'unmatched-anonymous-path',
  summary: 'A path in the anonymous section matches no request.',
  message: ({ path, reason }) =>
    `anonymous requests never match the path ${JSON.stringify(path)}: ${reason}`,
  help: () => 'Write the complete path of the request, such as /livez.',
  check(compilation, report) {
    for (const { path } of compilation.configuration?.anonymous?.conditions ?? []) {
      if (path === undefined) continue;
      const reason = mismatch(path.value);
      if (reason === undefined) continue;
      report(path.span, { path: path.value, reason }, { fixes: withSlash(path) });
    }
  },
});

const mismatch = (path: string): string | undefined => {
  if (!path.startsWith('/')) return 'the path of a request begins with a slash';
  if (/[?#]/.test(path)) return 'paths are compared without query and fragment';
  return path.includes('*') ? 'paths are compared as a whole, without wildcards' : undefined;
};

/** Adding the slash opens the path to anonymous requests, so the user has to choose it. */
const withSlash = (path: LocatedString): readonly Fix[] => {
  if (!/^[\w-]/.test(path.value) || mismatch(`/${path.value}`) !== undefined) return [];
  const at = toFileSpan(path.map, span(0, 0)).start;
  return [
    asAccessChanging({ title: 'Add the slash', edits: [{ span: span(at, at), newText: '/' }] }),
  ];
};
