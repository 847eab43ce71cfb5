/** The extension on the desktop. The rest of its code is another bundle, loaded when there is work. */
import type { ExtensionContext } from 'vscode';
import { activateOn } from './activate.ts';

export { deactivate } from './activate.ts';

export const activate = (context: ExtensionContext): void =>
  activateOn(context, async (registrations) =>
    (await import('./desktop-work.ts')).startOnDesktop(registrations),
  );
