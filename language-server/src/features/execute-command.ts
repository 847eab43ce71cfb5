/**
 * Commands of code lenses for clients without commands of their own. The result is a plain-text
 * message; for a rejection the server also shows the line of the rule.
 */
import { graphText, oneLine } from '@authgraph/engine/language';
import type { CancellationToken, Connection, ExecuteCommandParams } from 'vscode-languageserver';
import {
  commandNames,
  type LoadFailureRow,
  verdictSigns,
  type WhoamiParams,
  type WhoamiRow,
} from '../protocol.ts';
import { problems } from '../unavailable-reasons.ts';
import { inMessage } from '../untrusted-text.ts';
import { changeReport } from './change.ts';
import type { Feature, HandlerFactory } from './feature.ts';
import { requestedParts } from './requested-parts.ts';
import { whoamiAnswer } from './whoami.ts';

export const executeCommand: Feature = {
  capabilities: (_, { commands }) =>
    commands === 'client'
      ? {}
      : { executeCommandProvider: { commands: [...commandByName.keys()] } },
  register(connection, handlers) {
    connection.onExecuteCommand(
      handlers.guardedAsync(
        async ({ command, arguments: args = [] }: ExecuteCommandParams, token) => {
          const [uri]: readonly unknown[] = args;
          const run = commandByName.get(command);
          if (run !== undefined && typeof uri === 'string') {
            await run({ connection, handlers, token, uri });
          }
          return null;
        },
        null,
      ),
    );
  },
};

interface CommandContext {
  readonly connection: Connection;
  readonly handlers: HandlerFactory;
  readonly token: CancellationToken;
  readonly uri: string;
}

const whoami =
  (samples: Pick<WhoamiParams, 'samples'>) =>
  async ({ connection, handlers, token, uri }: CommandContext): Promise<void> => {
    const { rows, problem, loadFailures } = await whoamiAnswer(
      handlers,
      { uri, ...samples },
      token,
    );
    const lines = [
      ...failureLines(loadFailures),
      ...rows.map(describeRow),
      ...(problem === undefined ? [] : [problem]),
    ];
    showMessage(connection, lines);
    const [only] = rows.length === 1 ? rows : [];
    if (only?.verdict !== 'rejected' || only.place === undefined) return;
    const { uri: target, range } = only.place;
    const place = { uri: target, selection: range };
    // Not every client can show a document.
    await connection.window.showDocument(place).catch(() => undefined);
  };

/** Message boxes show only a limited number of lines. */
const maxLines = 20;

const failureLines = (failures: readonly LoadFailureRow[] = []): readonly string[] =>
  failures.map(({ text }) => `⚠ ${text}`);

/** Returns the verdict and what would be accepted. */
const describeRow = ({
  verdict,
  headline,
  whyNot,
  closest,
  acceptedWhenSaved,
  configuration: { title },
}: WhoamiRow): string => {
  const mark = verdictSigns[verdict];
  const text = title === undefined ? `${mark} ${headline}` : `${mark} ${title}: ${headline}`;
  const [best] = whyNot;
  if (acceptedWhenSaved) return `${text}; the saved file accepts this sample`;
  if (closest !== undefined) return `${text}; ${closest}`;
  return best === undefined ? text : `${text}; would be accepted ${oneLine(best.text)}`;
};

const selectSample = async ({
  connection,
  handlers: { workspace },
  uri,
}: CommandContext): Promise<void> => {
  const { all } = workspace.samplesFor(uri);
  if (all.length === 0) {
    showMessage(connection, [problems.noSamples]);
    return;
  }
  const choices = all.slice(0, maxChoices).map(({ id, name }) => ({ title: oneLine(name), id }));
  const chosen = await connection.window.showInformationMessage('Select a sample', ...choices);
  const id = choices.find(({ title }) => title === chosen?.title)?.id;
  if (id !== undefined) workspace.chooseSample({ id });
};

const maxChoices = 12;

const showGraph = async ({
  connection,
  handlers: { workspace },
  uri,
}: CommandContext): Promise<void> => {
  const { parts, problem } = await requestedParts(workspace, uri);
  const texts = parts.map(({ compilation: { graph } }) =>
    graph === undefined ? problems.hasErrors : graphText(graph),
  );
  showMessage(connection, [problem ?? texts.join('\n\n').trimEnd()]);
};

/** Shows the summary and one line per sample that changes. */
const previewChange = async ({
  connection,
  handlers: { workspace },
  uri,
}: CommandContext): Promise<void> => {
  const { rows, summary, problem, loadFailures, failureBefore } = await changeReport(workspace, {
    uri,
  });
  const changed = rows
    .filter(({ kind }) => kind !== 'same')
    .map(({ kind, before, after, configuration: { title } }) => {
      const what = title === undefined ? kind : `${title} ${kind}`;
      return `${what}: ${before} ⇒ ${after}`;
    });
  const notices = [
    ...failureLines(loadFailures),
    ...(failureBefore === undefined ? [] : [`⚠ ${failureBefore}`]),
  ];
  const lines = [...notices, summary, ...changed, problem ?? ''].filter((line) => line !== '');
  showMessage(connection, lines);
};

/** Messages contain names of samples and texts of rules, which are untrusted. */
const showMessage = (connection: Connection, lines: readonly string[]): void =>
  connection.window.showInformationMessage(inMessage(lines.slice(0, maxLines).join('\n')));

type Run = (context: CommandContext) => Promise<void> | void;

const commandByName: ReadonlyMap<string, Run> = new Map<string, Run>([
  [commandNames.whoami, whoami({})],
  [commandNames.whoamiAll, whoami({ samples: 'all' })],
  [commandNames.selectSample, selectSample],
  [commandNames.showGraph, showGraph],
  [commandNames.previewChange, previewChange],
]);
