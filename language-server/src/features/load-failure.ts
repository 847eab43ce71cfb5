/**
 * Configurations with errors: kube-apiserver loads a file as a whole or not at all, so previews of
 * the valid entries say what they assume.
 */
import { counted, type Diagnostic, entryNode, oncePer, oneLine } from '@authgraph/engine/language';
import type { ConfigurationName, LoadFailureRow } from '../protocol.ts';
import type { ConfigurationPart } from '../workspace.ts';
import { configurationNames } from './configuration-names.ts';

type Compilation = ConfigurationPart['compilation'];

/** Returns the errors for which kube-apiserver does not load the configuration. */
const errorsOf = oncePer(({ diagnostics, graph }: Compilation): readonly Diagnostic[] =>
  graph === undefined ? diagnostics.filter(({ severity }) => severity === 'error') : [],
);

/** Returns what previews assume, or `undefined` if the configuration loads. */
export const previewAssumption = oncePer((compilation: Compilation): string | undefined => {
  const errors = errorsOf(compilation);
  if (errors.length === 0) return undefined;
  const invalid = (compilation.configuration?.jwt ?? []).flatMap((_, index) => {
    const own = entryNode(compilation, index)?.errors ?? [];
    return own.length === 0 ? [] : [{ path: `jwt[${index}]`, errors: own }];
  });
  const inEntries = new Set(invalid.flatMap((entry) => entry.errors));
  if (errors.some((error) => !inEntries.has(error))) return 'as if its errors were fixed';
  const paths = invalid.map(({ path }) => path);
  return paths.length > maxPaths
    ? `as if ${paths.length} entries of jwt were removed`
    : `as if ${paths.join(' and ')} were removed`;
});

const maxPaths = 2;

/** Returns why a sample of an entry, or of the whole configuration, is undecided. */
export const undecidedReason = (part: ConfigurationPart, entry: number | undefined): string => {
  const { compilation, places } = part;
  const own = entry === undefined ? [] : (entryNode(compilation, entry)?.errors ?? []);
  const [who, errors] =
    own.length > 0 ? [`jwt[${entry}]`, own] : ['the configuration', errorsOf(compilation)];
  if (errors.length === 0) {
    // The diagnostic of a document that is too long to be analyzed is a warning.
    const [first] = compilation.diagnostics;
    return first === undefined ? `${who} has errors` : oneLine(first.message);
  }
  const first = errors.slice(0, maxErrors);
  const lines = [...new Set(first.map(({ span }) => places.range(span).start.line + 1))];
  const shown = lines.join(', ');
  const more = errors.length > first.length ? ', …' : '';
  return `${who} has ${counted(errors.length, 'error')} (${lines.length === 1 ? 'line' : 'lines'} ${shown}${more})`;
};

/** Returns one row per configuration that kube-apiserver does not load. */
export const loadFailures = (parts: readonly ConfigurationPart[]): readonly LoadFailureRow[] => {
  const names = configurationNames(parts);
  return parts.flatMap((part, index) => {
    const failure = loadFailureOf(part, names[index] ?? { index });
    return failure === undefined ? [] : [failure];
  });
};

/** Returns the row of one configuration, or `undefined` if it loads. */
export const loadFailureOf = (
  { compilation, places, uri }: ConfigurationPart,
  configuration: ConfigurationName,
): LoadFailureRow | undefined => {
  const errors = errorsOf(compilation);
  const asIf = previewAssumption(compilation);
  if (asIf === undefined) return undefined;
  const who = configuration.title ?? 'This configuration';
  return {
    configuration,
    text: `${who} does not load (${counted(errors.length, 'error')})`,
    asIf,
    errorCount: errors.length,
    errors: errors.slice(0, maxErrors).map(({ message, span }) => ({
      message: oneLine(message),
      place: { uri, range: places.range(span) },
    })),
  };
};

/** Number of errors that are listed; Problems has all. */
const maxErrors = 5;

/** Returns the member of a report; none if all configurations load. */
export const loadFailuresMember = (
  parts: readonly ConfigurationPart[],
): { readonly loadFailures?: readonly LoadFailureRow[] } => {
  const failures = loadFailures(parts);
  return failures.length === 0 ? {} : { loadFailures: failures };
};
