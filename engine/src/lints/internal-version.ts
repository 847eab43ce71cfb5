/** The API server's loader also knows its own in-memory version; no file should be written in it. */
import { defineLint } from './parts/define-lint.ts';

export const internalVersion = defineLint({
  code: 'AG4017',
  name: 'internal-version',
  summary: 'The file has the version __internal, which is not meant for files.',
  message: () =>
    "__internal is kube-apiserver's in-memory version: its field names differ and may change in any release",
  help: () =>
    'Write apiVersion: apiserver.config.k8s.io/v1 and the field names of the documentation.',
  check({ configuration }, report) {
    if (configuration?.version.value === '__internal') report(configuration.version.span, {});
  },
});
