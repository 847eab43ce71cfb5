/** Asks live issuers, on the user's word alone: a trusted workspace, and a question that names them. */
import type { DoctorReport } from '@authgraph/language-server/protocol';
import { ProgressLocation, window, workspace } from 'vscode';
import { confirm, copyCommand, showInfo } from './messages.ts';
import type { Model } from './model.ts';
import { type Platform, issuersUnavailableReason } from './platform.ts';
import type { ServerRequests } from './requests.ts';
import type { Results } from './results.ts';
import { mayContactIssuers } from './settings.ts';

export interface IssuerDoctor {
  run(): Promise<void>;
  /** Of the last answer. */
  copyCommand(): Promise<void>;
}

interface IssuerDoctorParts {
  readonly requests: ServerRequests;
  readonly model: Model;
  readonly results: Results;
  readonly platform: Pick<Platform, 'host' | 'files'>;
}

export const createIssuerDoctor = (parts: IssuerDoctorParts): IssuerDoctor => {
  let last: DoctorReport | undefined;
  return {
    async run() {
      last = (await diagnoseIssuers(parts)) ?? last;
    },
    async copyCommand() {
      if (last?.commandLine === undefined) return showInfo('ask the issuer first');
      await copyCommand(last.commandLine);
    },
  };
};

/** `undefined` where nobody was asked, which was said then. */
const diagnoseIssuers = async (parts: IssuerDoctorParts): Promise<DoctorReport | undefined> => {
  const { requests, model, results, platform } = parts;
  // Nobody is asked for a consent that is of no use.
  const why = issuersUnavailableReason(platform);
  if (why !== undefined) return showInfo(`${why}, or use authgraph doctor`);
  const uri = model.configuration?.uri.toString() ?? '';
  if (!workspace.isTrusted) {
    return showInfo('issuers are asked in trusted workspaces only');
  }
  const { urls, problem } = await requests.issuerUrls({ uri });
  if (urls.length === 0) return showInfo(problem ?? 'the file names no issuer that could be asked');
  if (!mayContactIssuers() && !(await confirmContact(urls))) return undefined;
  const report = await window.withProgress(
    { location: ProgressLocation.Window, title: 'AuthGraph: asking issuers…' },
    () => requests.doctor({ uri }),
  );
  const resultUri = results.put('issuers asked.txt', doctorText(report));
  await window.showTextDocument(resultUri, { preview: true });
  return report;
};

const confirmContact = (urls: readonly string[]): Promise<boolean> =>
  confirm({
    question:
      urls.length === 1
        ? 'Ask this issuer over the network?'
        : 'Ask these issuers over the network?',
    detail: `${urls.join('\n')}\n\nTheir discovery documents and public keys are read. No token is sent.`,
    yes: urls.length === 1 ? 'Ask This Issuer' : 'Ask These Issuers',
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
        ...(commandLine === undefined ? [] : [`In a shell:\n\n    ${commandLine}\n`]),
      ].join('\n');

const signs = { ok: '✓', warning: '!', error: '✗' } as const;

/** Columns that stand in half of a window. */
const maxColumns = 96;

/** Broken between words; a long address stays whole. */
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
