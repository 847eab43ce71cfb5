/**
 * Help for files with placeholders that another program fills in: templates of Helm, and variables
 * such as `${ISSUER}`. The errors about such a file do not apply to what is deployed.
 */
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { SourceFile } from '../source/source-file.ts';

/** Replaces the help and the fixes of errors that a placeholder causes. */
export const withPlaceholderHelp = (
  diagnostics: readonly Diagnostic[],
  { text }: SourceFile,
): readonly Diagnostic[] => {
  if (!text.includes('{{') && !text.includes('${')) return diagnostics;
  return diagnostics.map((diagnostic) => {
    const help = helpFor(diagnostic, text);
    return help === undefined ? diagnostic : { ...diagnostic, help, fixes: [] };
  });
};

const helpFor = ({ code, severity, span }: Diagnostic, text: string): string | undefined => {
  if (severity !== 'error') return undefined;
  if (syntaxCodes.has(code)) return templateAction.test(text) ? templateHelp : undefined;
  const value = text.slice(span.start, Math.min(span.end, span.start + maxValueLength));
  const [written] = placeholder.exec(value) ?? [];
  if (written === undefined) return undefined;
  return written.startsWith('{{')
    ? templateHelp
    : `Fill in ${written} first: pipe the output of envsubst, kustomize or a similar program into authgraph check -.`;
};

/** The codes of YAML and JSON syntax errors. */
const syntaxCodes: ReadonlySet<string> = new Set(['AG1001', 'AG1002']);

/** Characters of a value that are searched; placeholders are short. */
const maxValueLength = 1000;

const templateAction = /\{\{-?[ \t]*[.\w$"(/]/;
const placeholder = /\$\{[A-Za-z_][^}\s]{0,100}\}|\{\{[^}\n]{1,100}\}\}/;

const templateHelp =
  'This file is a template: check its output, for example with helm template CHART | authgraph check -.';
