/** What a running server says of a new text beyond what the compiler says of any text. */
import { defineFinding } from './rule.ts';

export const anonymousChanged = defineFinding<Record<never, never>>({
  code: 'AG5101',
  name: 'anonymous-changed',
  severity: 'error',
  source: 'server',
  summary: 'The anonymous section cannot change while the server runs.',
  message: () => 'anonymous: Forbidden: changed from initial configuration file',
  help: () => 'Restart the server, or put the section back to what it was at the start.',
});

export const artifactUnusable = defineFinding<{ readonly reason: string }>({
  code: 'AG5102',
  name: 'artifact-unusable',
  severity: 'error',
  source: 'limit',
  summary: 'A compiled artefact cannot be used.',
  message: ({ reason }) => reason,
});

export const compilerStopped = defineFinding<{ readonly reason: string }>({
  code: 'AG5103',
  name: 'compiler-stopped',
  severity: 'error',
  source: 'limit',
  summary: 'The compiler was stopped before it came to an end.',
  message: ({ reason }) => `the configuration could not be compiled: ${reason}`,
  help: () => 'Make the file smaller, or split long expressions.',
});
