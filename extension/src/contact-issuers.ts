/**
 * Runs the doctor against live issuers, only in a trusted workspace and after a confirmation that
 * lists their URLs.
 */
import type { DoctorReport } from '@authgraph/language-server/protocol';
import { ProgressLocation, window, workspace } from 'vscode';
import { confirm, copyCommand, showInfo } from './messages.ts';
import type { Model } from './model.ts';
import { issuersUnavailableReason, type Platform } from './platform.ts';
import type { ServerRequests } from './requests.ts';
import type { Results } from './results.ts';
import { mayContactIssuers } from './settings.ts';

interface IssuerDoctorParts {
  readonly requests: ServerRequests;
  readonly model: Model;
  readonly results: Results;
  readonly platform: Pick<Platform, 'host' | 'files'>;
}

export const createIssuerDoctor = (parts: IssuerDoctorParts) => {
  let last: DoctorReport | undefined;
  return {
    async run(): Promise<void> {
      last = (await diagnoseIssuers(parts)) ?? last;
    },
    /** Copies the CLI command of the last report. */
    async copyCommand(): Promise<void> {
      if (last?.commandLine === undefined) return showInfo('check the issuers first');
      await copyCommand(last.commandLine);
    },
  };
};

/** Returns `undefined` if no issuer was contacted; the reason was shown then. */
const diagnoseIssuers = async (parts: IssuerDoctorParts): Promise<DoctorReport | undefined> => {
  const { requests, model, results, platform } = parts;
  // Checked first, so that no confirmation is requested in vain.
  const why = issuersUnavailableReason(platform);
  if (why !== undefined) return showInfo(`${why}, or run authgraph doctor`);
  const uri = model.configuration?.uri.toString() ?? '';
  if (!workspace.isTrusted) {
    return showInfo("issuers can't be contacted from an untrusted workspace: trust it first");
  }
  const { urls, problem } = await requests.issuerUrls({ uri });
  if (urls.length === 0) return showInfo(problem ?? 'the configuration has no issuer to contact');
  if (!mayContactIssuers() && !(await confirmContact(urls))) return undefined;
  const report = await window.withProgress(
    { location: ProgressLocation.Window, title: 'AuthGraph: contacting issuers…' },
    () => requests.doctor({ uri }),
  );
  const resultUri = results.put('issuer report.txt', doctorText(report));
  await window.showTextDocument(resultUri, { preview: true });
  return report;
};

const confirmContact = (urls: readonly string[]): Promise<boolean> =>
  confirm({
    question:
      urls.length === 1
        ? 'Contact this issuer over the network?'
        : 'Contact these issuers over the network?',
    detail: `${urls.join('\n')}\n\nAuthGraph reads their discovery documents and public keys. No token is sent.`,
    yes: urls.length === 1 ? 'Contact Issuer' : 'Contact Issuers',
  });

const doctorText = ({ issuers, problem, commandLine }: DoctorReport): string =>
  issuers.length === 0
    ? `${problem ?? 'nothing was found'}\n`
    : [
        ...issuers.map(({ url, findings }) => {
          const lines = findings.map(({ level, text, help }) =>
            [
              wrapText(`${signs[level]} ${text}`, '  '),
              ...(help === '' ? [] : [wrapText(`    ${help}`, '    ')]),
            ].join('\n'),
          );
          return `${url}\n\n${lines.join('\n')}\n`;
        }),
        ...(commandLine === undefined ? [] : [`Equivalent command:\n\n    ${commandLine}\n`]),
      ].join('\n');

const signs = { ok: '✓', warning: '!', error: '✗' } as const;

/** Columns that fit into half a window. */
const maxColumns = 96;

/** Wraps text between words; a long URL stays whole. */
const wrapText = (text: string, indent: string): string => {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/(?<=\S) +/)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line === '' || longer.length <= maxColumns) {
      line = longer;
      continue;
    }
    lines.push(line);
    line = `${indent}${word}`;
  }
  return [...lines, line].join('\n');
};
