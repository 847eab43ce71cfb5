/**
 * Everything that we say in a message of VS Code: nothing else calls those functions, because texts of
 * others are part of most messages.
 */

import { inMessage } from '@authgraph/language-server/protocol';
import { env, window } from 'vscode';

export const showInfo = (text: string): undefined => {
  void window.showInformationMessage(sentence(text));
};

export const showError = (text: string): undefined => {
  void window.showErrorMessage(sentence(text));
};

export interface Offer {
  readonly text: string;
  readonly isWarning: boolean;
  /** A button each. */
  readonly actions: readonly string[];
}

/** Which of the actions the user wants, if any. */
export const offer = async ({ text, isWarning, actions }: Offer): Promise<string | undefined> => {
  const show = isWarning ? window.showWarningMessage : window.showInformationMessage;
  return show(sentence(text), ...actions);
};

export interface Question {
  readonly question: string;
  /** What it is about; no line of it is markup. */
  readonly detail: string;
  /** The button that means yes. */
  readonly yes: string;
}

/** Nothing goes on before this is answered. */
export const confirm = async ({ question, detail, yes }: Question): Promise<boolean> => {
  const options = { modal: true, detail: inMessage(detail) };
  return (await window.showWarningMessage(inMessage(question), options, yes)) === yes;
};

/** A line for a shell. */
export const copyCommand = async (line: string): Promise<void> => {
  await env.clipboard.writeText(line);
  void window.setStatusBarMessage('AuthGraph: the command is on the clipboard', 4000);
};

const sentence = (text: string): string =>
  inMessage(`AuthGraph: ${text}${text.endsWith('.') ? '' : '.'}`);
