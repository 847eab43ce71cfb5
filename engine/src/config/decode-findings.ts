/**
 * Findings of the decoder: the file is not a configuration, or a field is unknown or has a wrong
 * type.
 */
import { defineFinding } from '../diagnostics/rule.ts';
import { configGroup } from '../model/api-domain.ts';
import { type Release, releaseName } from '../model/release.ts';
import { withoutScheme } from './versions.ts';

export const emptyFile = defineFinding<{ readonly text: string }>({
  code: 'AG1005',
  name: 'empty-file',
  summary: 'The file is empty or is not a map.',
  message: ({ text }) => text,
  help: () => 'Start the file with apiVersion and kind.',
});

export const missingVersion = defineFinding<{ readonly text: string; readonly field: string }>({
  code: 'AG1006',
  name: 'missing-version',
  summary: 'The file has no apiVersion or no kind.',
  message: ({ text }) => text,
  help: ({ field }) =>
    field === 'kind'
      ? 'Add `kind: AuthenticationConfiguration`.'
      : 'Add `apiVersion: apiserver.config.k8s.io/v1`.',
});

export const unknownVersion = defineFinding<{
  readonly text: string;
  /** The newest version that the target release reads. */
  readonly newest: 'v1' | 'v1beta1';
  /** The API domain that the file should have. */
  readonly domain: string;
  /** Present if the target release is older than the version. */
  readonly tooNew?: { readonly target: Release; readonly since: Release };
}>({
  code: 'AG1007',
  name: 'unknown-version',
  summary: 'The file has an unsupported kind or apiVersion.',
  message: ({ text }) => withoutScheme(text),
  help: ({ newest, domain, tooNew }) =>
    `${tooNew === undefined ? '' : `The target version ${releaseName(tooNew.target)} does not have v1, which was added in ${releaseName(tooNew.since)}. `}Use \`kind: AuthenticationConfiguration\` with version ${newest === 'v1' ? 'v1, ' : ''}v1beta1 or v1alpha1 of ${configGroup(domain)}.`,
});

export const unknownField = defineFinding<{
  readonly text: string;
  readonly near: string;
  /** The release that added the field; the target release is older. */
  readonly since?: Release | undefined;
}>({
  code: 'AG1008',
  name: 'unknown-field',
  summary: 'The file sets a field that does not exist.',
  message: ({ text }) => text,
  help: ({ near, since }) => {
    if (since !== undefined)
      return `The target release does not have this field; it was added in ${releaseName(since)}.`;
    return near === ''
      ? 'Remove it; no field of this section has a similar name.'
      : `Did you mean \`${near}\`?`;
  },
});

export const duplicateMember = defineFinding<{ readonly text: string }>({
  code: 'AG1009',
  name: 'duplicate-member',
  summary: 'A member appears twice in one JSON object.',
  message: ({ text }) => text,
  help: () => 'Keep one of the two.',
});

export const wrongType = defineFinding<{
  readonly text: string;
  readonly found: string;
  readonly wanted: string;
}>({
  code: 'AG1010',
  name: 'wrong-type',
  summary: 'A value has the wrong type for its field.',
  message: ({ text }) => text,
  help: ({ found, wanted }) =>
    wanted === 'string' && (found === 'number' || found === 'bool')
      ? `YAML parses this as a ${found === 'bool' ? 'boolean' : 'number'}; quote it.`
      : `Write ${typeNames.get(wanted) ?? wanted} here.`,
});

const typeNames: ReadonlyMap<string, string> = new Map([
  ['string', 'a string'],
  ['bool', 'true or false without quotes'],
  ['array', 'a list'],
  ['object', 'a map'],
]);
