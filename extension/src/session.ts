/** A session: the language server and the views that show its results. */
import { samplesChanged } from '@authgraph/language-server/protocol';
import {
  type Disposable,
  type EventEmitter,
  type ExtensionContext,
  type TextDocument,
  type TreeItem,
  type TreeView,
  type Uri,
  workspace,
} from 'vscode';
import {
  type BaseLanguageClient,
  DidChangeConfigurationNotification,
  State,
} from 'vscode-languageclient';
import { createChangeView } from './change/change-view.ts';
import { warnOfLockOut } from './change/lock-out.ts';
import { createLossMarks } from './change/loss-marks.ts';
import { clientOptions } from './client-options.ts';
import type { CommandName } from './command-names.ts';
import { createIssuerDoctor } from './contact-issuers.ts';
import { followInContext } from './context-keys.ts';
import { errorMessage } from './error-message.ts';
import { evaluateSelection } from './evaluate-selection.ts';
import { createExplainView } from './explain/explain-view.ts';
import { createGraphView } from './graph/graph-view.ts';
import { createIdentitiesTree, selectCurrent } from './identities/identities-tree.ts';
import { createSampleCommands } from './identities/sample-commands.ts';
import { createLensRefresh } from './lens-refresh.ts';
import { showError } from './messages.ts';
import { createModel } from './model.ts';
import { newConfiguration } from './new-configuration.ts';
import type { Platform } from './platform.ts';
import { createServerRequests } from './requests.ts';
import { createResults } from './results.ts';
import { rulePage } from './rule-pages.ts';
import { diagnosticsScope, section, serverSettings } from './settings.ts';
import { showStatus } from './status-bar.ts';
import { knownVersions, selectTargetVersion } from './target-version.ts';
import { expectResult } from './testing/expect-result.ts';
import { createWhoamiView } from './whoami/whoami-view.ts';
import { serveFiles } from './workspace-files.ts';
import { disableOtherSchemas } from './yaml-extension.ts';

/** What activation registers with VS Code for the session to update. */
export interface Registrations {
  readonly context: ExtensionContext;
  readonly identitiesChanged: EventEmitter<void>;
  readonly identities: TreeView<unknown>;
  readonly changeChanged: EventEmitter<void>;
  readonly changes: TreeView<unknown>;
  readonly resultChanged: EventEmitter<Uri>;
  /** Called with the file of the graph while the graph is the active editor. */
  readonly activeGraphChanged: (document: TextDocument | undefined) => void;
}

/** The rows of a tree view. */
export interface Tree {
  getChildren(row?: unknown): Promise<readonly unknown[]>;
  getTreeItem(row: unknown): TreeItem;
}

export type Session = Awaited<ReturnType<typeof startSession>>;

export const startSession = async (registrations: Registrations, platform: Platform) => {
  const lenses = createLensRefresh();
  const client = platform.createClient(clientOptions(platform, lenses));
  serveFiles(client);
  /** A server that is not running receives the settings once it is. */
  const sendSettings = async (): Promise<void> => {
    if (client.state !== State.Running) return;
    await client.sendNotification(DidChangeConfigurationNotification.type, {
      settings: { [section]: serverSettings() },
    });
  };
  await client.start();
  await sendSettings();

  const parts = createParts(client, registrations, platform);
  const { samples, identities, change, whoami, results } = parts;
  const restarts = createRestarts(client, platform);
  const subscriptions = [
    ...followModel(parts, registrations, platform),
    ...followClient({ client, parts, sendSettings, restarts }),
    lenses.follow(client),
  ];
  void samples.restore();
  void disableOtherSchemas().then(sendSettings);
  const commands = commandTable(parts, { registrations, restart: restarts.restart });
  return {
    async run(command: CommandName, args: readonly unknown[]): Promise<void> {
      try {
        await commands[command](args);
      } catch (cause) {
        // VS Code's own error message would turn file names into links.
        showError(errorMessage(cause));
      }
    },
    requests: parts.requests,
    identities,
    change,
    showWhoami: whoami.show,
    resultText: async (uri: Uri): Promise<string> =>
      (await rulePage(uri, registrations.context.extensionUri)) ?? results.text(uri),
    async stop(): Promise<void> {
      for (const each of subscriptions) each.dispose();
      await restarts.stop();
    },
  };
};

type SessionParts = ReturnType<typeof createParts>;

/** Creates the model, the commands on samples and the views. */
const createParts = (
  client: BaseLanguageClient,
  { context, identities, resultChanged, changeChanged, changes, activeGraphChanged }: Registrations,
  platform: Platform,
) => {
  const { extensionUri: extension, workspaceState: memory } = context;
  const requests = createServerRequests(client);
  const results = createResults(resultChanged);
  const model = createModel(requests);
  const samples = createSampleCommands({ model, requests, results, platform, memory });
  const shared = { model, requests, samples, results, extension };
  const marks = createLossMarks(extension);
  return {
    ...shared,
    marks,
    whoami: createWhoamiView(shared),
    explanation: createExplainView(shared),
    graph: createGraphView({ ...shared, activeChanged: activeGraphChanged }),
    change: createChangeView({
      ...shared,
      isBrowser: platform.host === 'browser',
      changed: changeChanged,
      tree: changes,
      marks,
    }),
    issuers: createIssuerDoctor({ client, requests, model, results, platform }),
    identities: createIdentitiesTree(model, requests, identities),
  };
};

/** Restarts the server; one restart at a time, because a client that is starting cannot be stopped. */
const createRestarts = (client: BaseLanguageClient, platform: Platform) => {
  /** The place from which the server reads files, and what the client requests of it. */
  const needed = (): string => `${platform.files()} ${diagnosticsScope()}`;
  /** What the server was started for; `undefined` if it did not start. */
  let running: string | undefined = needed();
  let last: Promise<unknown> = Promise.resolve();
  const queue = <Result>(run: () => Promise<Result>): Promise<Result> => {
    const result = last.then(run);
    last = result.catch(() => undefined);
    return result;
  };
  const stop = async (): Promise<void> => {
    // The client starts a crashed server itself.
    if (client.state === State.Starting) await client.start();
    if (client.state === State.Running) await client.stop();
  };
  const restartNow = async (): Promise<void> => {
    const next = needed();
    running = undefined;
    await stop();
    await client.start();
    running = next;
  };
  return {
    restart: () => queue(restartNow),
    /** Restarts the server if it was started for something else; returns whether it did. */
    restartIfRequired: () =>
      queue(async () => {
        const isRequired = needed() !== running;
        if (isRequired) await restartNow();
        return isRequired;
      }),
    stop: () => queue(stop),
  };
};

/** Updates what is shown when the model changes. */
const followModel = (
  { model, whoami, explanation, graph, change, marks, requests, results }: SessionParts,
  { context, identities, identitiesChanged }: Registrations,
  platform: Platform,
): readonly Disposable[] => [
  model,
  whoami,
  explanation,
  graph,
  change,
  marks,
  followInContext(model, platform),
  showStatus({ model, requests, newest: knownVersions(context).at(-1) ?? '' }),
  warnOfLockOut({ requests, model, view: change, results }),
  model.onDidChange(() => identitiesChanged.fire()),
  selectCurrent(identities, model),
];

/** Keeps the language server up to date, and the model when the language server changes. */
const followClient = ({
  client,
  parts: { model, samples },
  sendSettings,
  restarts,
}: {
  readonly client: BaseLanguageClient;
  readonly parts: SessionParts;
  readonly sendSettings: () => Promise<void>;
  readonly restarts: ReturnType<typeof createRestarts>;
}): readonly Disposable[] => {
  /** Runs what needs a restart of the server; a failed restart is shown. */
  const showFailure = async (run: () => Promise<unknown>): Promise<void> => {
    try {
      await run();
    } catch (cause) {
      showError(errorMessage(cause));
    }
  };
  return [
    client.onNotification(samplesChanged, () => void model.readSamples()),
    workspace.onDidChangeConfiguration(async (changed) => {
      if (!changed.affectsConfiguration(section)) return;
      await showFailure(async () => {
        if (!(await restarts.restartIfRequired())) await sendSettings();
      });
      model.notifyChanged();
    }),
    workspace.onDidGrantWorkspaceTrust(() => showFailure(restarts.restart)),
    // A virtual folder was added or removed, which the server cannot read itself.
    workspace.onDidChangeWorkspaceFolders(() => showFailure(restarts.restartIfRequired)),
    // Also runs when the client restarts a crashed server.
    client.onDidChangeState(async ({ newState }) => {
      if (newState !== State.Running) return;
      try {
        await sendSettings();
        await samples.restore();
      } catch (cause) {
        // The server may have been stopped again.
        if (client.state === State.Running) showError(errorMessage(cause));
      }
    }),
  ];
};

type Run = (args: readonly unknown[]) => Promise<void>;

const commandTable = (
  { requests, results, model, samples, whoami, explanation, graph, change, issuers }: SessionParts,
  {
    registrations: { context },
    restart,
  }: { readonly registrations: Registrations; readonly restart: () => Promise<void> },
): Readonly<Record<CommandName, Run>> => {
  /** Lens arguments name the document, and sometimes a sample. */
  const lookAt = async ([uri, sample]: readonly unknown[]): Promise<void> => {
    await model.switchTo(uri);
    if (typeof sample === 'string') await samples.choose({ id: sample, name: sample });
  };
  const atPlace =
    (run: Run): Run =>
    async (args) => {
      await lookAt(args);
      await run(args);
    };
  return {
    'authgraph.whoami': atPlace(([, authenticator, configuration = 0]) =>
      whoami.explain(
        typeof authenticator === 'number' && typeof configuration === 'number'
          ? { authenticator, configuration }
          : undefined,
      ),
    ),
    'authgraph.whoamiAll': atPlace(() => whoami.compareAll()),
    'authgraph.explainAtCursor': () => whoami.explain(),
    'authgraph.evaluateSelection': () => evaluateSelection({ requests, results }),
    'authgraph.impersonate': () => whoami.impersonate(),
    'authgraph.copyCommand': () => whoami.copyCommand(),
    'authgraph.showResult': () => whoami.showResult(),
    'authgraph.showGraph': atPlace(() => graph.reveal()),
    'authgraph.showGraphText': () => graph.showText(),
    'authgraph.exportGraph': () => graph.exportPicture(),
    'authgraph.previewChange': atPlace(() => change.preview()),
    'authgraph.compareWithHead': () => change.compareWithHead(),
    'authgraph.compareWithBranch': () => change.compareWithBranch(),
    'authgraph.reportChange': () => change.report(),
    'authgraph.showChangeText': () => change.showText(),
    'authgraph.copyChangeCommand': () => change.copyCommand(),
    'authgraph.showChangedResult': ([row]) => change.showDifference(row),
    'authgraph.selectSample': atPlace(() => graph.selectSample()),
    'authgraph.newSample': () => samples.create(),
    'authgraph.pasteToken': () => samples.pasteToken(),
    'authgraph.sampleFromClipboard': () => samples.fromClipboard(),
    'authgraph.checkSignature': () => samples.checkSignature(),
    'authgraph.explainToken': () => explanation.explain(),
    'authgraph.chooseSample': ([row]) => samples.choose(row),
    'authgraph.editSample': ([row]) => samples.edit(row),
    'authgraph.duplicateSample': ([row]) => samples.duplicate(row),
    'authgraph.saveSample': ([row]) => samples.save(row),
    'authgraph.removeSample': ([row]) => samples.drop(row),
    'authgraph.expectResult': async ([row]) =>
      expectResult({ model, requests }, await samples.pickFile(row)),
    'authgraph.newConfiguration': () =>
      newConfiguration({ requests, model, samples, showWhoami: () => whoami.explain() }),
    'authgraph.selectTargetVersion': () => selectTargetVersion(context),
    'authgraph.checkIssuers': () => issuers.run(),
    'authgraph.copyDoctorCommand': () => issuers.copyCommand(),
    'authgraph.restartServer': restart,
  };
};
