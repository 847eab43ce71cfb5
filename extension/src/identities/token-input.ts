/** Prompts for a token. What is typed is not shown, and stored nowhere. */
import { window } from 'vscode';

/** Returns `undefined` if the user dismissed the prompt. */
export const promptForToken = async (title: string, prompt: string): Promise<string | undefined> =>
  window.showInputBox({ title, prompt, password: true, ignoreFocusOut: true });
