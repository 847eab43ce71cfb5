/** Diagnostics as SARIF 2.1.0, the format of code scanning services. */
import { redactSecrets } from '../source/redact-secrets.ts';
import type { SourceFile } from '../source/source-file.ts';
import type { Span } from '../source/span.ts';
import type { Diagnostic, Severity } from './diagnostic.ts';
import { evidenceLine } from './evidence.ts';
import { pageCommand } from './page.ts';
import type { FileReport } from './render.ts';
import { foldConsequences, messageWithPath } from './report-order.ts';
import type { RuleDescription } from './rule.ts';

export interface SarifTool {
  readonly version: string;
  /** Descriptions of the codes; a code that is not listed is described by its first diagnostic. */
  readonly rules: readonly RuleDescription[];
  /** Documentation pages in Markdown by rule name, if available. */
  readonly pages?: ReadonlyMap<string, string>;
  /** Returns a hash of a text, for the fingerprints of results. */
  readonly hash: (text: string) => string;
}

/** A file that could not be read. */
export interface UnreadableFile {
  readonly file: string;
  readonly reason: string;
}

/** Returns a log with a single run as plain data for `JSON.stringify`. */
export const sarifLog = (
  reports: readonly FileReport[],
  unreadable: readonly UnreadableFile[],
  tool: SarifTool,
): object => {
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
            rules: rules.map((rule) => ({
              id: rule.code,
              name: pascalCase(rule.name),
              shortDescription: { text: rule.summary },
              // GitHub requires both of these, but shows the page.
              fullDescription: { text: rule.summary },
              help: helpOf(rule, tool.pages?.get(rule.name)),
              defaultConfiguration: { level: levels[rule.severity] },
              properties: { tags: [rule.source] },
            })),
          },
        },
        columnKind: 'utf16CodeUnits',
        invocations: [invocationOf(unreadable)],
        results: reports.flatMap(({ source, diagnostics }) => {
          const fingerprint = fingerprinter(source, tool.hash);
          return foldConsequences(diagnostics).map(({ diagnostic }) => ({
            ...resultOf(source, diagnostic, indexByCode.get(diagnostic.code) ?? 0),
            partialFingerprints: { [fingerprintName]: fingerprint(diagnostic) },
          }));
        }),
      },
    ],
  };
};

/** Code scanning closes no alerts after a run that was not successful. */
const invocationOf = (unreadable: readonly UnreadableFile[]): object => ({
  executionSuccessful: unreadable.length === 0,
  ...(unreadable.length === 0
    ? {}
    : {
        toolExecutionNotifications: unreadable.map(({ file, reason }) => ({
          level: 'error',
          message: { text: reason },
          locations: [{ physicalLocation: { artifactLocation: { uri: sarifUri(file) } } }],
        })),
      }),
});

const fingerprintName = 'authgraphFieldAndValue/v1';

/**
 * Returns a function from results to fingerprints. A fingerprint stays the same while the code, the
 * field path and the text of the result do, wherever the lines move; equal ones are numbered.
 */
const fingerprinter = (
  source: SourceFile,
  hash: SarifTool['hash'],
): ((diagnostic: Diagnostic) => string) => {
  const counts = new Map<string, number>();
  return ({ code, path = '', span }) => {
    const value = redactSecrets(source.text.slice(span.start, span.end));
    const print = hash(JSON.stringify([code, path, value]));
    const count = (counts.get(print) ?? 0) + 1;
    counts.set(print, count);
    return `${print}:${count}`;
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
  const { evidence } = diagnostic;
  return {
    ruleId: diagnostic.code,
    ruleIndex,
    level: levels[diagnostic.severity],
    message: { text: messageWithPath(diagnostic) + evidenceLine(diagnostic) + help },
    ...(evidence === undefined ? {} : { properties: { evidence } }),
    locations: [
      { physicalLocation: physicalLocation(diagnostic.span), ...logicalLocations(diagnostic) },
    ],
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

const logicalLocations = ({ path }: Diagnostic): object =>
  path === undefined
    ? {}
    : {
        logicalLocations: [
          { fullyQualifiedName: path, kind: path.endsWith(']') ? 'value' : 'property' },
        ],
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
