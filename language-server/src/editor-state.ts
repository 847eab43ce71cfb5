/** What the client has reported about itself and its workspace; only the server changes it. */
import type { ClientCapabilities } from 'vscode-languageserver';
import { defaultOptions, type EditorOptions } from './editor-options.ts';
import { noFiles, type WorkspaceFiles } from './files.ts';
import { type Folders, foldersAt } from './folders.ts';

export interface EditorState {
  client: ClientCapabilities;
  options: EditorOptions;
  folders: Folders;
  files: WorkspaceFiles;
  /** Whether the user trusts the workspace. */
  isTrusted: boolean;
  /** Whether the client requested a shutdown and reads nothing more. */
  isShutDown: boolean;
}

export const initialState = (): EditorState => ({
  client: {},
  options: defaultOptions,
  folders: foldersAt([]),
  files: noFiles,
  isTrusted: true,
  isShutDown: false,
});
