/** The API server's loader also knows its own in-memory version; no file should be written in it. */
import type { Compilation } from '../compile/compile.ts';
import { defineRule } from '../diagnostics/rule.ts';

export const internalVersion = defineRule<Compilation, Record<never, never>>({
  code: 'AG4017',
  name: 'internal-version',
  severity: 'warning',
  source: 'lint',
  summary: 'The file has the version __internal, which is not meant for files.',
  message: () =>
    '__internal is the form that the API server keeps in memory: its fields are named otherwise, and may change with any release',
  help: () =>
    'Write apiVersion: apiserver.config.k8s.io/v1, and the fields as the documentation spells them.',
  check({ configuration }, report) {
    if (configuration?.version.value === '__internal') report(configuration.version.span, {});
  },
});
