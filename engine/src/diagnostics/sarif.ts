/** Diagnostics as SARIF 2.1.0, the format of code scanning services. */
import type { SourceFile } from '../source/source-file.ts';
import type { Span } from '../source/span.ts';
import type { Diagnostic, Severity } from './diagnostic.ts';
import { documentationUrl, pageCommand, pageUrl } from './page.ts';
import { type FileReport, inSourceOrder } from './render.ts';
import type { RuleDescription } from './rule.ts';

export interface SarifTool {
  readonly version: string;
  /** Descriptions of the codes; a code that is not listed is described by its first diagnostic. */
  readonly rules: readonly RuleDescription[];
  /** Documentation pages in Markdown by rule name, if available. */
  readonly pages?: ReadonlyMap<string, string>;
}

/** Returns a log with a single run as plain data for `JSON.stringify`. */
export const sarifLog = (reports: readonly FileReport[], tool: SarifTool): object => {
  const rules = rulesOf(reports, tool.rules);
  const indexByCode = new Map(rules.map((rule, index) => [rule.code, index]));
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'AuthGraph',
            version: tool.version,
            informationUri: documentationUrl,
            rules: rules.map((rule) => ({
              id: rule.code,
              name: pascalCase(rule.name),
              shortDescription: { text: rule.summary },
              // GitHub requires both of these, but shows the page.
              fullDescription: { text: rule.summary },
              help: helpOf(rule, tool.pages?.get(rule.name)),
              helpUri: pageUrl(rule.name),
              defaultConfiguration: { level: levels[rule.severity] },
              properties: { tags: [rule.source] },
            })),
          },
        },
        columnKind: 'utf16CodeUnits',
        invocations: [{ executionSuccessful: true }],
        results: reports.flatMap(({ source, diagnostics }) =>
          inSourceOrder(diagnostics).map((diagnostic) =>
            resultOf(source, diagnostic, indexByCode.get(diagnostic.code) ?? 0),
          ),
        ),
      },
    ],
  };
};

const rulesOf = (
  reports: readonly FileReport[],
  knownRules: readonly RuleDescription[],
): readonly RuleDescription[] => {
  const used = new Map<string, RuleDescription>();
  for (const { diagnostics } of reports)
    for (const diagnostic of diagnostics) {
      if (used.has(diagnostic.code)) continue;
      const rule = knownRules.find((candidate) => candidate.code === diagnostic.code);
      used.set(
        diagnostic.code,
        rule ?? { ...diagnostic, summary: diagnostic.name.replaceAll('-', ' ') },
      );
    }
  return [...used.values()].sort((a, b) => (a.code < b.code ? -1 : 1));
};

const helpOf = ({ code, summary }: RuleDescription, markdown: string | undefined): object => ({
  text: `${summary} More: ${pageCommand(code)}`,
  ...(markdown === undefined ? {} : { markdown }),
});

const resultOf = (source: SourceFile, diagnostic: Diagnostic, ruleIndex: number): object => {
  const artifactLocation = { uri: sarifUri(source.uri) };
  const physicalLocation = (span: Span): object => ({
    artifactLocation,
    region: regionOf(source, span),
  });
  const help = diagnostic.help === '' ? '' : `\n${diagnostic.help}`;
  return {
    ruleId: diagnostic.code,
    ruleIndex,
    level: levels[diagnostic.severity],
    message: { text: diagnostic.message + help },
    locations: [{ physicalLocation: physicalLocation(diagnostic.span) }],
    ...(diagnostic.related.length === 0
      ? {}
      : {
          relatedLocations: diagnostic.related.map(({ span, message }, id) => ({
            id,
            physicalLocation: physicalLocation(span),
            message: { text: message },
          })),
        }),
    ...(diagnostic.fixes.length === 0
      ? {}
      : {
          fixes: diagnostic.fixes.map(({ title, edits }) => ({
            description: { text: title },
            artifactChanges: [
              {
                artifactLocation,
                replacements: edits.map(({ span, newText }) => ({
                  deletedRegion: regionOf(source, span),
                  insertedContent: { text: newText },
                })),
              },
            ],
          })),
        }),
  };
};

const levels: Readonly<Record<Severity, string>> = {
  error: 'error',
  warning: 'warning',
  information: 'note',
  hint: 'note',
};

const regionOf = (source: SourceFile, span: Span): object => {
  const start = source.positionAt(span.start);
  const end = source.positionAt(span.end);
  return {
    startLine: start.line + 1,
    startColumn: start.column + 1,
    endLine: end.line + 1,
    endColumn: end.column + 1,
  };
};

/**
 * Converts a path to a URI reference: with forward slashes, and escaped; absolute paths get
 * `file:`.
 */
export const sarifUri = (path: string): string => {
  if (/^[a-z][a-z0-9+.-]+:/.test(path)) return path;
  const slashed = path.replaceAll('\\', '/');
  const escaped = slashed.split('/').map(encodeURIComponent).join('/');
  if (/^[A-Za-z]%3A\//.test(escaped)) return `file:///${escaped.replace('%3A', ':')}`;
  return escaped.startsWith('/') ? `file://${escaped}` : escaped;
};

const pascalCase = (name: string): string =>
  name.replaceAll(/(?:^|-)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
