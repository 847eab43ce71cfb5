/** The desktop entry point. The rest of the code is a separate bundle that is loaded on demand. */
import type { ExtensionContext } from 'vscode';
import { activateOn } from './activate.ts';

export { deactivate } from './activate.ts';

export const activate = (context: ExtensionContext): void =>
  activateOn(context, {
    startSession: async (registrations) =>
      (await import('./desktop-work.ts')).startOnDesktop(registrations),
    createTests: async (requests) =>
      (await import('./testing/test-controller.ts')).createTests(requests),
  });
