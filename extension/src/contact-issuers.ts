/** Asks live issuers, on the user's word alone: a trusted workspace, and a question that names them. */
import type { DoctorReport } from '@authgraph/language-server/protocol';
import { ProgressLocation, window, workspace } from 'vscode';
import { confirm, copyCommand, tell } from './messages.ts';
import type { Model } from './model.ts';
import { type Platform, whyNoIssuers } from './platform.ts';
import type { Asking } from './requests.ts';
import type { Results } from './results.ts';
import { mayAskIssuers } from './settings.ts';

export interface IssuerQuestions {
  ask(): Promise<void>;
  /** Of the last answer. */
  copyCommand(): Promise<void>;
}

interface IssuerQuestionsParts {
  readonly asking: Asking;
  readonly model: Model;
  readonly results: Results;
  readonly platform: Pick<Platform, 'host' | 'files'>;
}

export const createIssuerQuestions = (parts: IssuerQuestionsParts): IssuerQuestions => {
  let last: DoctorReport | undefined;
  return {
    async ask() {
      last = (await askIssuers(parts)) ?? last;
    },
    async copyCommand() {
      if (last?.commandLine === undefined) return tell('ask the issuer first');
      await copyCommand(last.commandLine);
    },
  };
};

/** `undefined` where nobody was asked, which was said then. */
const askIssuers = async (parts: IssuerQuestionsParts): Promise<DoctorReport | undefined> => {
  const { asking, model, results, platform } = parts;
  // Nobody is asked for a consent that is of no use.
  const why = whyNoIssuers(platform);
  if (why !== undefined) return tell(`${why}, or use authgraph doctor`);
  const uri = model.configuration?.uri.toString() ?? '';
  if (!workspace.isTrusted) {
    return tell('issuers are asked in trusted workspaces only');
  }
  const { urls, problem } = await asking.issuerUrls({ uri });
  if (urls.length === 0) return tell(problem ?? 'the file names no issuer that could be asked');
  if (!mayAskIssuers() && !(await mayAsk(urls))) return undefined;
  const report = await window.withProgress(
    { location: ProgressLocation.Window, title: 'AuthGraph: asking issuers…' },
    () => asking.doctor({ uri }),
  );
  const shown = results.put('issuers asked.txt', doctorText(report));
  await window.showTextDocument(shown, { preview: true });
  return report;
};

const mayAsk = (urls: readonly string[]): Promise<boolean> =>
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
              wrapped(`${signs[level]} ${text}`, '  '),
              ...(help === '' ? [] : [wrapped(`    ${help}`, '    ')]),
            ].join('\n'),
          );
          return `${url}\n\n${lines.join('\n')}\n`;
        }),
        ...(commandLine === undefined ? [] : [`In a shell:\n\n    ${commandLine}\n`]),
      ].join('\n');

const signs = { ok: '✓', warning: '!', error: '✗' } as const;

/** Columns that stand in half of a window. */
const mostColumns = 96;

/** Broken between words; a long address stays whole. */
const wrapped = (text: string, indent: string): string => {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/(?<=\S) +/)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line === '' || longer.length <= mostColumns) {
      line = longer;
      continue;
    }
    lines.push(line);
    line = `${indent}${word}`;
  }
  return [...lines, line].join('\n');
};
