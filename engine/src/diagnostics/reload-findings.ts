/** Findings that only a running server has about a new configuration. */
import { defineFinding } from './rule.ts';

export const anonymousChanged = defineFinding<Record<never, never>>({
  code: 'AG5101',
  name: 'anonymous-changed',
  summary: 'The anonymous section was changed while the server was running.',
  message: () => 'anonymous: Forbidden: changed from initial configuration file',
  help: () => 'Restart the server, or restore the section as it was at startup.',
});

export const artifactUnusable = defineFinding<{ readonly reason: string }>({
  code: 'AG5102',
  name: 'artifact-unusable',
  source: 'limit',
  summary: 'A compiled artifact cannot be used.',
  message: ({ reason }) => reason,
});

export const compilerStopped = defineFinding<{ readonly reason: string }>({
  code: 'AG5103',
  name: 'compiler-stopped',
  source: 'limit',
  summary: 'Compilation was stopped before it finished.',
  message: ({ reason }) => `the configuration could not be compiled: ${reason}`,
  help: () => 'Reduce the size of the file, or split long expressions.',
});
