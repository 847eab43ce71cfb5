/** A session: the language server and the views that show its results. */
import { samplesChanged } from '@authgraph/language-server/protocol';
import { type Disposable, type TreeItem, type Uri, type WebviewView, workspace } from 'vscode';
import { DidChangeConfigurationNotification, State } from 'vscode-languageclient';
import type { Registrations } from './activate.ts';
import { createChangeView } from './change/change-view.ts';
import { warnOfLockOut } from './change/lock-out.ts';
import { clientOptions } from './client-options.ts';
import type { CommandName } from './command-names.ts';
import { createIssuerDoctor } from './contact-issuers.ts';
import { errorMessage } from './error-message.ts';
import { createGraphView } from './graph/graph-view.ts';
import { createIdentitiesTree, selectCurrent } from './identities/identities-tree.ts';
import { createSampleCommands } from './identities/sample-commands.ts';
import { showError } from './messages.ts';
import { createModel } from './model.ts';
import { newConfiguration } from './new-configuration.ts';
import type { Platform } from './platform.ts';
import { createServerRequests } from './requests.ts';
import { createResults } from './results.ts';
import { rulePage } from './rule-pages.ts';
import { section, serverSettings } from './settings.ts';
import { showStatus } from './status-bar.ts';
import { knownVersions, selectTargetVersion } from './target-version.ts';
import { createWhoamiView } from './whoami/whoami-view.ts';
import { serveFiles } from './workspace-files.ts';
import { quietOtherSchemas } from './yaml-extension.ts';

/** The rows of a tree view. */
export interface Tree {
  getChildren(row?: unknown): Promise<unknown[]>;
  getTreeItem(row: unknown): TreeItem;
}

export interface Session {
  run(command: CommandName, args: readonly unknown[]): Promise<void>;
  readonly identities: Tree;
  readonly change: Tree;
  showWhoami(view: WebviewView): void;
  resultText(uri: Uri): Promise<string>;
  stop(): Promise<void>;
}

export const startSession = async (
  registrations: Registrations,
  platform: Platform,
): Promise<Session> => {
  const client = platform.createClient(clientOptions(platform));
  serveFiles(client);
  const requests = createServerRequests(client);
  const sendSettings = (): Promise<void> =>
    client.sendNotification(DidChangeConfigurationNotification.type, {
      settings: { [section]: serverSettings() },
    });
  await client.start();
  await sendSettings();

  const { extensionUri: extension } = registrations.context;
  const results = createResults(registrations.resultChanged);
  const model = createModel(requests);
  const samples = createSampleCommands({
    model,
    requests,
    results,
    platform,
    memory: registrations.context.workspaceState,
  });
  const whoami = createWhoamiView({ model, requests, samples, results, extension });
  const graph = createGraphView({ model, requests, samples, results, extension });
  const change = createChangeView({
    model,
    requests,
    results,
    isBrowser: platform.host === 'browser',
    changed: registrations.changeChanged,
  });
  const issuers = createIssuerDoctor({ requests, model, results, platform });
  const identities = createIdentitiesTree(model, requests);

  /** The place from which the running language server reads files. */
  let files = platform.files();
  const restart = async (): Promise<void> => {
    files = platform.files();
    await client.stop();
    await client.start();
  };
  const subscriptions: readonly Disposable[] = [
    model,
    whoami,
    graph,
    change,
    showStatus(model, knownVersions(registrations.context).at(-1) ?? ''),
    warnOfLockOut({ requests, view: change, results }),
    model.onDidChange(() => registrations.identitiesChanged.fire()),
    selectCurrent(registrations.identities, model),
    client.onNotification(samplesChanged, () => void model.readSamples()),
    workspace.onDidChangeConfiguration(async (changed) => {
      if (!changed.affectsConfiguration(section)) return;
      await sendSettings();
      model.notifyChanged();
    }),
    workspace.onDidGrantWorkspaceTrust(restart),
    workspace.onDidChangeWorkspaceFolders(async () => {
      // A virtual folder was added or removed, which the server cannot read itself.
      if (platform.files() !== files) await restart();
    }),
    // Also runs when the client restarts a crashed server.
    client.onDidChangeState(async ({ newState }) => {
      if (newState !== State.Running) return;
      await sendSettings();
      await samples.restore();
    }),
  ];
  void samples.restore();
  void quietOtherSchemas().then(sendSettings);

  /** Lens arguments name the document, and sometimes a sample. */
  const lookAt = async ([uri, sample]: readonly unknown[]): Promise<void> => {
    await model.switchTo(uri);
    if (typeof sample === 'string') await samples.choose({ id: sample, name: sample });
  };
  const commands: Readonly<Record<CommandName, (args: readonly unknown[]) => Promise<void>>> = {
    'authgraph.whoami': async (args) => {
      await lookAt(args);
      const [, authenticator, configuration = 0] = args;
      await whoami.explain(
        typeof authenticator === 'number' && typeof configuration === 'number'
          ? { authenticator, configuration }
          : undefined,
      );
    },
    'authgraph.whoamiAll': async (args) => {
      await lookAt(args);
      await whoami.compareAll();
    },
    'authgraph.explainAtCursor': () => whoami.explain(),
    'authgraph.impersonate': () => whoami.impersonate(),
    'authgraph.copyCommand': () => whoami.copyCommand(),
    'authgraph.showResult': () => whoami.showResult(),
    'authgraph.showGraph': async (args) => {
      await lookAt(args);
      await graph.reveal();
    },
    'authgraph.showGraphText': () => graph.showText(),
    'authgraph.exportGraph': () => graph.exportPicture(),
    'authgraph.previewChange': async (args) => {
      await lookAt(args);
      await change.preview();
    },
    'authgraph.compareWithHead': () => change.compareWithHead(),
    'authgraph.showChangeText': () => change.showText(),
    'authgraph.copyChangeCommand': () => change.copyCommand(),
    'authgraph.showChangedResult': ([row]) => change.showDifference(row),
    'authgraph.selectSample': async (args) => {
      await lookAt(args);
      await samples.select();
    },
    'authgraph.newSample': () => samples.create(),
    'authgraph.pasteToken': () => samples.pasteToken(),
    'authgraph.sampleFromClipboard': () => samples.fromClipboard(),
    'authgraph.checkSignature': () => samples.checkSignature(),
    'authgraph.chooseSample': ([row]) => samples.choose(row),
    'authgraph.editSample': ([row]) => samples.edit(row),
    'authgraph.duplicateSample': ([row]) => samples.duplicate(row),
    'authgraph.saveSample': ([row]) => samples.save(row),
    'authgraph.dropSample': ([row]) => samples.drop(row),
    'authgraph.newConfiguration': () =>
      newConfiguration({ requests, model, samples, showWhoami: () => whoami.explain() }),
    'authgraph.selectTargetVersion': () => selectTargetVersion(registrations.context),
    'authgraph.askIssuers': () => issuers.run(),
    'authgraph.copyDoctorCommand': () => issuers.copyCommand(),
    'authgraph.restartServer': restart,
  };

  return {
    async run(command, args) {
      try {
        await commands[command](args);
      } catch (cause) {
        // VS Code's own error message would turn file names into links.
        showError(errorMessage(cause));
      }
    },
    identities: {
      ...identities,
      getChildren: async (row) => [...(await identities.getChildren(row))],
    },
    change: { ...change, getChildren: async (row) => [...(await change.getChildren(row))] },
    showWhoami: whoami.show,
    resultText: async (uri) => (await rulePage(uri, extension)) ?? results.text(uri),
    async stop() {
      for (const each of subscriptions) each.dispose();
      await client.stop();
    },
  };
};
