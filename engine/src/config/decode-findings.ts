/**
 * Findings of the decoder: the file is not a configuration, or a field is unknown or has a wrong
 * type.
 */
import { defineFinding } from '../diagnostics/rule.ts';
import { type Release, releaseName } from '../model/release.ts';

export const emptyFile = defineFinding<{ readonly text: string }>({
  code: 'AG1005',
  name: 'empty-file',
  severity: 'error',
  source: 'server',
  summary: 'The file is empty or is not a map.',
  message: ({ text }) => text,
  help: () => 'start the file with apiVersion and kind',
});

export const missingVersion = defineFinding<{ readonly text: string; readonly field: string }>({
  code: 'AG1006',
  name: 'missing-version',
  severity: 'error',
  source: 'server',
  summary: 'The file has no apiVersion or no kind.',
  message: ({ text }) => text,
  help: ({ field }) =>
    field === 'kind'
      ? 'add `kind: AuthenticationConfiguration`'
      : 'add `apiVersion: apiserver.config.k8s.io/v1`',
});

export const unknownVersion = defineFinding<{
  readonly text: string;
  /** The newest version that the target release reads. */
  readonly newest: 'v1' | 'v1beta1';
}>({
  code: 'AG1007',
  name: 'unknown-version',
  severity: 'error',
  source: 'server',
  summary: 'The file has an unsupported kind or apiVersion.',
  message: ({ text }) => text,
  help: ({ newest }) =>
    `use \`kind: AuthenticationConfiguration\` with version ${newest === 'v1' ? 'v1, ' : ''}v1beta1 or v1alpha1 of apiserver.config.k8s.io`,
});

export const unknownField = defineFinding<{
  readonly text: string;
  readonly near: string;
  /** The release that added the field; the target release is older. */
  readonly since?: Release | undefined;
}>({
  code: 'AG1008',
  name: 'unknown-field',
  severity: 'error',
  source: 'server',
  summary: 'The file sets a field that does not exist.',
  message: ({ text }) => text,
  help: ({ near, since }) => {
    if (since !== undefined)
      return `the target release lacks it; it exists since ${releaseName(since)}`;
    return near === ''
      ? 'remove it; no field of this section has such a name'
      : `did you mean \`${near}\`?`;
  },
});

export const duplicateMember = defineFinding<{ readonly text: string }>({
  code: 'AG1009',
  name: 'duplicate-member',
  severity: 'error',
  source: 'server',
  summary: 'A member appears twice in one JSON object.',
  message: ({ text }) => text,
  help: () => 'keep one of the two',
});

export const wrongType = defineFinding<{
  readonly text: string;
  readonly found: string;
  readonly wanted: string;
}>({
  code: 'AG1010',
  name: 'wrong-type',
  severity: 'error',
  source: 'server',
  summary: 'A value has the wrong type for its field.',
  message: ({ text }) => text,
  help: ({ found, wanted }) =>
    wanted === 'string' && (found === 'number' || found === 'bool')
      ? `YAML reads this as a ${found === 'bool' ? 'boolean' : 'number'}; put it in quotes`
      : `write a ${typeNames.get(wanted) ?? wanted} here`,
});

const typeNames: ReadonlyMap<string, string> = new Map([
  ['string', 'text'],
  ['bool', 'true or false without quotes'],
  ['array', 'list'],
  ['object', 'map'],
]);
