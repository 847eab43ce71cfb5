/** Conflicts between flags and file. */
import type {
  AuthenticationConfiguration,
  JwtAuthenticatorConfig,
} from '../config/configuration.ts';
import { isEgressSelectorType } from '../config/rules/connection.ts';
import { withoutFields } from '../config/rules/layout-fixes.ts';
import type { RulePlace } from '../config/rules/server-rule.ts';
import { asChoice, type Diagnostic } from '../diagnostics/diagnostic.ts';
import { defineFinding, diagnosticOf } from '../diagnostics/rule.ts';
import { goQuote } from '../formats/go-quote.ts';
import { egressSelectorGate } from '../model/feature-gates.ts';
import type { AuthenticatorGraph } from './graph.ts';
import type { CompileSettings } from './settings.ts';

export const anonymousFlagAndSection = defineFinding<Record<never, never>>({
  code: 'AG3001',
  name: 'anonymous-flag-and-section',
  summary: 'Both --anonymous-auth and the anonymous section are set.',
  message: () =>
    'anonymous: Forbidden: --anonymous-auth flag cannot be set when anonymous field is configured in authentication configuration file',
  help: () =>
    'Remove the flag or the section. The flag conflicts with the section whatever its value.',
});

export const egressLookupMissing = defineFinding<{ readonly type: string }>({
  code: 'AG3002',
  name: 'egress-lookup-missing',
  summary: 'An egress selector is set, but the server has no egress configuration.',
  message: ({ type }) => `oidc: egress lookup required with egress selector type ${goQuote(type)}`,
  help: () =>
    'Remove egressSelectorType. kube-apiserver accepts it only with --egress-selector-config-file; AuthGraph connects to issuers directly and has no such flag.',
});

export const rejectedOidcFlags = defineFinding<{ readonly message: string; readonly help: string }>(
  {
    code: 'AG3003',
    name: 'rejected-oidc-flags',
    summary: 'These --oidc-* flags are rejected by kube-apiserver at its start.',
    message: ({ message }) => message,
    help: ({ help }) => help,
  },
);

/** Reports errors that neither the file nor the flags show by themselves. */
export const checkSettings = (
  configuration: AuthenticationConfiguration | undefined,
  { anonymousAuth, featureGates }: CompileSettings,
  place: RulePlace,
): readonly Diagnostic[] => {
  if (configuration === undefined) return [];
  const { anonymous, jwt } = configuration;
  const conflict =
    anonymousAuth === undefined || anonymous === undefined
      ? []
      : [diagnosticOf(anonymousFlagAndSection, anonymous.span, {})];
  // An invalid type, and a field whose gate is off, are reported by other rules.
  const isOn = featureGates.get(egressSelectorGate) ?? false;
  return [...conflict, ...(isOn ? jwt.flatMap((entry) => egressProblems(entry, place)) : [])];
};

const egressProblems = (
  { issuer: { egressSelectorType: type } }: JwtAuthenticatorConfig,
  place: RulePlace,
): readonly Diagnostic[] => {
  if (type === undefined || !isEgressSelectorType(type.value)) return [];
  const fixes = withoutFields(place, [['egressSelectorType', type.span]]).map(asChoice);
  return [diagnosticOf(egressLookupMissing, type.span, { type: type.value }, { fixes })];
};

/**
 * Applies the flags of this process to a graph that was compiled without them, such as a compiled
 * artifact. The flag for anonymous requests takes effect if the file has no section, and conflicts
 * with the section otherwise.
 */
export const applyFlags = (
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
