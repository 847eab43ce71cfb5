/** The Test Explorer: test files are found at once, their cases when they are shown, run or opened. */
import {
  type CancellationToken,
  Disposable,
  type FileCoverage,
  type FileCoverageDetail,
  type TestItem,
  type TestRunProfile,
  TestRunProfileKind,
  type TestRunRequest,
  tests,
  type Uri,
  workspace,
} from 'vscode';
import { debounce } from '../debounce.ts';
import { errorMessage } from '../error-message.ts';
import { showInfo } from '../messages.ts';
import { testFileGlob } from '../recognize-document.ts';
import { findInFolders } from '../workspace-files.ts';
import { createInputFiles, runOnSave } from './run-on-save.ts';
import { createTestItems, itemsOf } from './test-items.ts';
import { ignoredGlob, isTestFile } from './test-presence.ts';
import { runTests, selectionsOf, type TestRequests, type TestRunner } from './test-run.ts';

/** Test files of each workspace folder. */
const maxTestFiles = 2000;

/** Milliseconds after an edit until the cases of the file are listed again. */
const editDelayMs = 300;

/** `requests` starts the language server if it is not running. */
export const createTests = (requests: () => Promise<TestRequests>): Disposable => {
  const controller = tests.createTestController('authgraph', 'AuthGraph');
  const items = createTestItems(controller);
  const inputs = createInputFiles();
  const runner: TestRunner = { controller, items, requests, onInputs: inputs.set };

  const listCases = async (file: TestItem): Promise<void> => {
    const version = items.nextVersion();
    file.busy = true;
    try {
      items.update(file, await (await requests()).testCases({ uri: file.id }), version);
    } catch (cause) {
      file.error = errorMessage(cause);
    } finally {
      file.busy = false;
    }
  };
  /** Lists the cases of a file that may not have an item yet. */
  const listFile = async (uri: Uri): Promise<void> => {
    if (items.get(uri) !== undefined || controller.items.size < maxTestFiles)
      await listCases(items.add(uri));
  };
  let searches = 0;
  const findFiles = async (): Promise<void> => {
    searches += 1;
    const search = searches;
    const testFiles = await findInFolders([testFileGlob], maxTestFiles + 1, ignoredGlob);
    if (search !== searches) return;
    const shown = testFiles.slice(0, maxTestFiles);
    if (shown.length < testFiles.length)
      showInfo(`only the first ${maxTestFiles} test files of the workspace are shown`);
    const ids = new Set(shown.map(String));
    for (const { id } of itemsOf({ children: controller.items }))
      if (!ids.has(id)) items.remove(id);
    for (const uri of shown) items.add(uri);
    for (const { uri } of workspace.textDocuments) if (isTestFile(uri)) await listFile(uri);
  };
  controller.resolveHandler = (item) =>
    item === undefined ? findFiles() : item.parent === undefined ? listCases(item) : undefined;
  controller.refreshHandler = async (token) => {
    await findFiles();
    for (const file of itemsOf({ children: controller.items })) {
      if (token.isCancellationRequested) return;
      if (isListed(file)) await listCases(file);
    }
  };

  const profiles = createProfiles(runner, inputs);
  void findFiles();
  return Disposable.from(
    controller,
    ...profiles,
    ...followFiles(items, listFile),
    workspace.onDidChangeWorkspaceFolders(findFiles),
  );
};

/** Returns whether the cases of a file were listed before. */
const isListed = ({ children, error }: TestItem): boolean =>
  children.size > 0 || error !== undefined;

const createProfiles = (
  runner: TestRunner,
  inputs: ReturnType<typeof createInputFiles>,
): readonly TestRunProfile[] => {
  const detailsOf = new WeakMap<FileCoverage, readonly FileCoverageDetail[]>();
  const handler =
    (hasCoverage: boolean) =>
    async (request: TestRunRequest, token: CancellationToken): Promise<void> => {
      const run = async (isWanted?: (file: TestItem) => boolean): Promise<void> => {
        const options = { token, hasCoverage, ...(isWanted === undefined ? {} : { isWanted }) };
        for (const { coverage, details } of await runTests(runner, request, options))
          detailsOf.set(coverage, details);
      };
      if (request.continuous !== true) return run();
      runOnSave(token, async (saved) => {
        const isWanted = (file: TestItem): boolean => inputs.isAffected(file, saved);
        const requested = selectionsOf(request, runner.controller);
        if (requested.some(({ file }) => isWanted(file))) await run(isWanted);
      });
    };
  const { controller } = runner;
  const { Run, Coverage } = TestRunProfileKind;
  const runProfile = controller.createRunProfile('Run', Run, handler(false), true);
  runProfile.supportsContinuousRun = true;
  const coverageProfile = controller.createRunProfile(
    'Run with Coverage',
    Coverage,
    handler(true),
    true,
  );
  coverageProfile.loadDetailedCoverage = async (_, coverage) => [
    ...(detailsOf.get(coverage) ?? []),
  ];
  return [runProfile, coverageProfile];
};

/** Follows test files in the editor and on disk. */
const followFiles = (
  items: ReturnType<typeof createTestItems>,
  listFile: (uri: Uri) => Promise<void>,
): readonly Disposable[] => {
  const edited = new Map<string, Uri>();
  const listEdited = debounce(async () => {
    // A file that is deleted meanwhile is no longer in the map.
    for (const [id, uri] of [...edited]) if (edited.delete(id)) await listFile(uri);
  }, editDelayMs);
  const onEdit = (uri: Uri): void => {
    if (!isTestFile(uri)) return;
    edited.set(uri.toString(), uri);
    listEdited();
  };
  const watcher = workspace.createFileSystemWatcher(testFileGlob);
  return [
    listEdited,
    watcher,
    watcher.onDidCreate(onEdit),
    watcher.onDidChange((uri) => {
      const file = items.get(uri);
      if (file !== undefined && isListed(file)) onEdit(uri);
    }),
    watcher.onDidDelete((uri) => {
      edited.delete(uri.toString());
      items.remove(uri.toString());
    }),
    workspace.onDidOpenTextDocument(({ uri }) => onEdit(uri)),
    workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0) onEdit(document.uri);
    }),
  ];
};
