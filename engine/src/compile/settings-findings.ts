/** What flags and file together can get wrong. */
import type { AuthenticationConfiguration } from '../config/configuration.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { defineFinding, diagnosticOf } from '../diagnostics/rule.ts';
import type { AuthenticatorGraph } from './graph.ts';
import type { CompileSettings } from './settings.ts';

export const anonymousFlagAndSection = defineFinding<Record<never, never>>({
  code: 'AG3001',
  name: 'anonymous-flag-and-section',
  severity: 'error',
  source: 'server',
  summary: 'The flag --anonymous-auth and the anonymous section exclude each other.',
  message: () =>
    'anonymous: Forbidden: --anonymous-auth flag cannot be set when anonymous field is configured in authentication configuration file',
  help: () => 'Remove the flag, or the section. Any value of the flag collides, also true.',
});

/** The one thing that only flags and file together show. */
export const checkSettings = (
  configuration: AuthenticationConfiguration | undefined,
  { anonymousAuth }: CompileSettings,
): readonly Diagnostic[] =>
  anonymousAuth === undefined || configuration?.anonymous === undefined
    ? []
    : [diagnosticOf(anonymousFlagAndSection, configuration.anonymous.span, {})];

/**
 * A graph that was compiled without the flags of this start, under them: what an artefact holds. The
 * flag for anonymous requests decides where the file had no section, and collides where it had one.
 */
export const underFlags = (
  graph: AuthenticatorGraph,
  { anonymousAuth, apiDomain }: CompileSettings,
): {
  readonly graph: AuthenticatorGraph | undefined;
  readonly diagnostics: readonly Diagnostic[];
} => {
  const { anonymous } = graph;
  if (anonymousAuth !== undefined && anonymous.fromFile)
    return {
      graph: undefined,
      diagnostics: [diagnosticOf(anonymousFlagAndSection, { start: 0, end: 0 }, {})],
    };
  return {
    graph: {
      ...graph,
      apiDomain: apiDomain ?? graph.apiDomain,
      anonymous: anonymousAuth === undefined ? anonymous : { ...anonymous, enabled: anonymousAuth },
    },
    diagnostics: [],
  };
};
