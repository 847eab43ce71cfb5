/** The browser entry point, bundled as one file. */
import type { ExtensionContext } from 'vscode';
import { activateOn } from './activate.ts';

export { deactivate } from './activate.ts';

export const activate = (context: ExtensionContext): void =>
  activateOn(context, {
    startSession: async (registrations) =>
      (await import('./web-work.ts')).startInBrowser(registrations),
    createTests: async (requests) =>
      (await import('./testing/test-controller.ts')).createTests(requests),
  });
