/**
 * All messages that the extension shows through VS Code. No other file calls these functions,
 * because most messages contain untrusted text.
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
  /** Titles of the buttons. */
  readonly actions: readonly string[];
}

/** Shows a message with buttons; returns the pressed button, if any. */
export const offer = async ({ text, isWarning, actions }: Offer): Promise<string | undefined> => {
  const show = isWarning ? window.showWarningMessage : window.showInformationMessage;
  return show(sentence(text), ...actions);
};

export interface Question {
  readonly question: string;
  /** Details below the question; shown without markup. */
  readonly detail: string;
  /** Title of the confirming button. */
  readonly yes: string;
}

/** Shows a modal dialog; returns whether the user confirmed. */
export const confirm = async ({ question, detail, yes }: Question): Promise<boolean> => {
  const options = { modal: true, detail: inMessage(detail) };
  return (await window.showWarningMessage(inMessage(question), options, yes)) === yes;
};

/** Copies a CLI command. */
export const copyCommand = (line: string): Promise<void> => copyText(line, 'the command');

/** Copies a text; `what` names it in the status bar. */
export const copyText = async (text: string, what: string): Promise<void> => {
  await env.clipboard.writeText(text);
  void window.setStatusBarMessage(`AuthGraph: copied ${what}`, 4000);
};

const sentence = (text: string): string =>
  inMessage(`AuthGraph: ${text}${text.endsWith('.') ? '' : '.'}`);
