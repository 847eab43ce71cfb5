/**
 * The editor reports the same diagnostics for every recorded configuration as `authgraph check`.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Diagnostic, DocumentDiagnosticReport, MarkupContent } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import {
  type Evidence,
  evidenceLabel,
  evidenceText,
} from '../../engine/src/diagnostics/evidence.ts';
import type { CheckReport } from '../../engine/src/diagnostics/json.ts';
import { runCaptured } from '../support/captured-io.ts';
import { cases } from '../support/cases.ts';
import { type LanguageClient, languageClient, workspaceUri } from '../support/language-client.ts';

const table = cases<{ readonly config: string }>('conformance/config-validation.jsonl');
const files = new Map(table.map(({ id, input }) => [`${id}.yaml`, input.config]));

/** Uses offsets, because only the protocol treats a lone CR as a line break. */
interface Finding {
  readonly start: number;
  readonly end: number;
  readonly severity: string;
  readonly code: string;
  readonly message: string;
  readonly related: readonly { readonly start: number; readonly message: string }[];
}

const severities = ['', 'error', 'warning', 'information', 'hint'];

const textOf = (message: string | MarkupContent): string =>
  typeof message === 'string' ? message : message.value;

let client: LanguageClient;
let checked: ReadonlyMap<string, readonly Finding[]>;

const inOrder = (findings: readonly Finding[]): readonly Finding[] =>
  findings.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

const byCheck = async (): Promise<ReadonlyMap<string, readonly Finding[]>> => {
  const { stdout } = await runCaptured(['check', '--output', 'json', ...files.keys()], {
    files: Object.fromEntries(files),
  });
  const report: CheckReport = JSON.parse(stdout);
  return new Map(
    report.files.map(({ file, diagnostics }) => [
      file,
      inOrder(
        diagnostics.map(({ range, severity, code, message, help, related, evidence }) => ({
          start: range.start.offset,
          end: range.end.offset,
          severity,
          code,
          message: help === '' ? message : `${message}\n${help}`,
          related: [
            ...related.map((one) => ({ start: one.range.start.offset, message: one.message })),
            ...shownEvidence(evidence).map((text) => ({
              start: range.start.offset,
              message: text,
            })),
          ],
        })),
      ),
    ]),
  );
};

/** The editor shows evidence next to the other places of a finding. */
const shownEvidence = (evidence: Evidence | undefined): readonly string[] => {
  const text = evidence && evidenceText(evidence);
  return evidence === undefined || text === undefined
    ? []
    : [`${evidenceLabel(evidence)}: ${text}`];
};

const byEditor = async (name: string, text: string): Promise<readonly Finding[]> => {
  const uri = `${workspaceUri}/${name}`;
  await client.open(uri, text);
  const report = await client.connection.sendRequest<DocumentDiagnosticReport>(
    'textDocument/diagnostic',
    { textDocument: { uri } },
  );
  await client.connection.sendNotification('textDocument/didClose', { textDocument: { uri } });
  const document = TextDocument.create(uri, 'yaml', 1, text);
  const toFinding = (one: Diagnostic): Finding => ({
    start: document.offsetAt(one.range.start),
    end: document.offsetAt(one.range.end),
    severity: severities[one.severity ?? 0] ?? '',
    code: String(one.code),
    message: textOf(one.message),
    related: (one.relatedInformation ?? []).map(({ location, message }) => ({
      start: document.offsetAt(location.range.start),
      message,
    })),
  });
  return report.kind === 'full' ? inOrder(report.items.map(toFinding)) : [];
};

beforeAll(async () => {
  checked = await byCheck();
  // `check` uses the system clock, which the validity of certificates depends on.
  client = await languageClient({ settings: { files: ['**/*'] }, now: Date.now() });
});
afterAll(async () => {
  expect(client.log).toEqual([]);
  await client.close();
});

test('INV-E4 check reports on every configuration', () => {
  expect(table.length).toBeGreaterThanOrEqual(327);
  expect([...checked.keys()]).toEqual([...files.keys()]);
});

test.each(table)('$id', async ({ id, input }) => {
  const name = `${id}.yaml`;
  expect(await byEditor(name, input.config)).toEqual(checked.get(name));
});
