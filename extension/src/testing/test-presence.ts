/** Detects test files, so that the Test Explorer appears only where there are tests. */
import { type Disposable, type Uri, workspace } from 'vscode';
import { isCopy, testFileGlob, testFileSuffix } from '../recognize-document.ts';

/** Packages may contain the tests of their authors. */
export const ignoredGlob = '**/node_modules/**';

/** Returns whether the file is a test file in a workspace folder, but not in a package. */
export const isTestFile = (uri: Uri): boolean => {
  if (!uri.path.endsWith(testFileSuffix) || isCopy(uri.scheme)) return false;
  const folder = workspace.getWorkspaceFolder(uri);
  return folder !== undefined && !uri.path.slice(folder.uri.path.length).includes('/node_modules/');
};

/** Calls `onTestFile` when a test file is found or opened. */
export const followTestFiles = (onTestFile: () => void): readonly Disposable[] => {
  const search = async (): Promise<void> => {
    const [testFile] = await workspace.findFiles(testFileGlob, ignoredGlob, 1);
    if (testFile !== undefined) onTestFile();
  };
  void search();
  return [
    workspace.onDidOpenTextDocument(({ uri }) => {
      if (isTestFile(uri)) onTestFile();
    }),
    workspace.onDidChangeWorkspaceFolders(search),
  ];
};
