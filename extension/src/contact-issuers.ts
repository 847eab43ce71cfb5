/**
 * Runs the doctor against live issuers, only in a trusted workspace and after a confirmation that
 * lists their URLs.
 */
import {
  type DoctorParams,
  type DoctorReport,
  inMessage,
} from '@authgraph/language-server/protocol';
import { commands, ProgressLocation, window, workspace } from 'vscode';
import { type BaseLanguageClient, WorkDoneProgress } from 'vscode-languageclient';
import { confirm, copyCommand, offer, showInfo } from './messages.ts';
import type { Model } from './model.ts';
import { issuersUnavailableReason, type Platform } from './platform.ts';
import type { ServerRequests } from './requests.ts';
import type { Results } from './results.ts';
import { mayContactIssuers } from './settings.ts';

interface IssuerDoctorParts {
  readonly client: Pick<BaseLanguageClient, 'onProgress'>;
  readonly requests: ServerRequests;
  readonly model: Model;
  readonly results: Results;
  readonly platform: Pick<Platform, 'host' | 'files'>;
}

export const createIssuerDoctor = (parts: IssuerDoctorParts) => {
  let last: DoctorReport | undefined;
  let runs = 0;
  /** The run whose report was shown last. */
  let shownRun = 0;
  return {
    async run(): Promise<void> {
      runs += 1;
      const run = runs;
      const report = await diagnoseIssuers(parts, `doctor ${run}`);
      if (report === undefined || run < shownRun) return;
      shownRun = run;
      last = report;
      const uri = parts.results.put('issuer report.txt', doctorText(report));
      await window.showTextDocument(uri, { preview: true });
      void showSummary(report);
    },
    /** Copies the CLI command of the last report. */
    async copyCommand(): Promise<void> {
      if (last === undefined) return showInfo('check the issuers first');
      if (last.commandLine === undefined)
        return showInfo('the command needs a configuration without errors: fix them first');
      await copyCommand(last.commandLine);
    },
  };
};

/** Returns `undefined` if no issuer was contacted; the reason was shown then. */
const diagnoseIssuers = async (
  parts: IssuerDoctorParts,
  workDoneToken: string,
): Promise<DoctorReport | undefined> => {
  const { requests, model, platform } = parts;
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
  return contactWithProgress(parts, { uri, urls, workDoneToken });
};

/** Returns `undefined` if the user canceled. */
const contactWithProgress = (
  { client, requests }: IssuerDoctorParts,
  params: DoctorParams & { readonly workDoneToken: string },
): Thenable<DoctorReport | undefined> =>
  window.withProgress(
    {
      location: ProgressLocation.Notification,
      title: 'AuthGraph: contacting issuers',
      cancellable: true,
    },
    async (progress, token) => {
      let shown = 0;
      const listener = client.onProgress(WorkDoneProgress.type, params.workDoneToken, (step) => {
        if (step.kind !== 'report') return;
        const { message = '', percentage = shown } = step;
        progress.report({ message: inMessage(message), increment: percentage - shown });
        shown = percentage;
      });
      try {
        const report = await requests.doctor(params, token);
        return token.isCancellationRequested ? undefined : report;
      } finally {
        listener.dispose();
      }
    },
  );

/** Shows how many issuers are ready. The list of problems has the reasons. */
const showSummary = async ({ summary, issuers }: DoctorReport): Promise<void> => {
  if (summary === undefined) return;
  const hasProblems = issuers.some(({ findings }) => findings.some(({ level }) => level !== 'ok'));
  const pressed = await offer({
    text: summary,
    isWarning: issuers.some(({ well }) => !well),
    actions: hasProblems ? [showProblems] : [],
  });
  if (pressed === showProblems) await commands.executeCommand('workbench.actions.view.problems');
};

const showProblems = 'Show Problems';

const confirmContact = (urls: readonly string[]): Promise<boolean> =>
  confirm({
    question:
      urls.length === 1
        ? 'Contact this issuer over the network?'
        : 'Contact these issuers over the network?',
    detail: `${urls.join('\n')}\n\nAuthGraph reads their discovery documents and public keys. No token is sent.`,
    yes: urls.length === 1 ? 'Contact Issuer' : 'Contact Issuers',
  });

const doctorText = ({
  summary = '',
  skipped = [],
  issuers,
  problem,
  commandLine,
}: DoctorReport): string =>
  issuers.length === 0
    ? `${problem ?? 'nothing was found'}\n`
    : [
        [summary, ...skipped.map((each) => wrapText(`! skipped: ${each}`, '  ')), ''].join('\n'),
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
