/**
 * The feature gates of authentication: their state in each release, and the parser of
 * `--feature-gates`. Other gates of kube-apiserver have no meaning here and are unknown.
 */
import { type Release, releaseName } from './release.ts';

/** The maturity of a gate in a release; `absent` if the release does not have it. */
export type GateStage = 'absent' | 'alpha' | 'beta' | 'ga';

export interface GateState {
  readonly stage: GateStage;
  readonly default: boolean;
  /** A locked gate can only be set to its default. */
  readonly locked: boolean;
}

export interface FeatureGate {
  readonly name: string;
  /** What the gate enables, in one sentence. */
  readonly doc: string;
  /** States in ascending order; each applies until the next one's release. */
  readonly states: readonly (GateState & { readonly since: number; readonly until?: number })[];
}

/** Maps the name of every gate of the release to whether it is enabled. */
export type FeatureGates = ReadonlyMap<string, boolean>;

export const anonymousEndpointsGate = 'AnonymousAuthConfigurableEndpoints';
export const constrainedImpersonationGate = 'ConstrainedImpersonation';
/** The gates of service account tokens. */
export const accountTokenGates = {
  identifiers: 'ServiceAccountTokenJTI',
  nodeBinding: 'ServiceAccountTokenNodeBinding',
  nodeValidation: 'ServiceAccountTokenNodeBindingValidation',
  podNodes: 'ServiceAccountTokenPodNodeInfo',
  requestUid: 'TokenRequestServiceAccountUIDValidation',
} as const;
export const egressSelectorGate = 'StructuredAuthenticationConfigurationEgressSelector';
export const keySetMetricsGate = 'StructuredAuthenticationConfigurationJWKSMetrics';
export const structuredConfigurationGate = 'StructuredAuthenticationConfiguration';
export const unauthenticatedHttp2Gate = 'UnauthenticatedHTTP2DOSMitigation';

const alpha = (since: number) =>
  ({ since, stage: 'alpha', default: false, locked: false }) as const;
const beta = (since: number, on = true) =>
  ({ since, stage: 'beta', default: on, locked: false }) as const;
const locked = (since: number) => ({ since, stage: 'ga', default: true, locked: true }) as const;

export const featureGates: readonly FeatureGate[] = [
  {
    name: 'AllowParsingUserUIDFromCertAuth',
    doc: 'Reads the UID of a user from the subject of a client certificate.',
    states: [beta(33)],
  },
  {
    name: 'APISelfSubjectReview',
    doc: 'Serves SelfSubjectReview.',
    states: [{ ...locked(28), until: 30 }],
  },
  {
    name: anonymousEndpointsGate,
    doc: 'Lets the configuration file restrict anonymous requests to paths.',
    states: [alpha(31), beta(32), { ...locked(34), until: 37 }],
  },
  {
    name: constrainedImpersonationGate,
    doc: 'Requires fine-grained permissions for impersonation.',
    states: [alpha(35), beta(36)],
  },
  {
    name: 'RemoteRequestHeaderUID',
    doc: 'Reads the UID of a user from the headers of an authenticating proxy.',
    states: [alpha(32), beta(33)],
  },
  {
    name: accountTokenGates.identifiers,
    doc: 'Adds an ID to service account tokens and to the extra values of their users.',
    states: [alpha(29), beta(30), locked(32)],
  },
  {
    name: accountTokenGates.nodeBinding,
    doc: 'Allows service account tokens to be bound to nodes.',
    states: [alpha(29), beta(31), locked(33)],
  },
  {
    name: accountTokenGates.nodeValidation,
    doc: 'Rejects service account tokens whose node no longer exists.',
    states: [alpha(29), beta(30), locked(32)],
  },
  {
    name: accountTokenGates.podNodes,
    doc: 'Adds the node of a pod to its service account tokens.',
    states: [alpha(29), beta(30), locked(32)],
  },
  {
    name: structuredConfigurationGate,
    doc: 'Reads authenticators from the file in --authentication-config.',
    states: [alpha(29), beta(30), { ...locked(34), until: 37 }],
  },
  {
    name: egressSelectorGate,
    doc: 'Lets a jwt entry select the egress type for requests to its issuer.',
    states: [beta(34)],
  },
  {
    name: keySetMetricsGate,
    doc: 'Enables the metrics of key set fetches.',
    states: [beta(35)],
  },
  {
    name: accountTokenGates.requestUid,
    doc: 'Rejects a TokenRequest whose service account UID does not match.',
    states: [beta(34)],
  },
  {
    name: unauthenticatedHttp2Gate,
    doc: 'Closes HTTP/2 connections after an unauthenticated request.',
    states: [beta(25, false), beta(29)],
  },
];

/** Maps misspelled names in published documentation to the gates they mean. */
const gateAliases: ReadonlyMap<string, string> = new Map([
  ['StructuredAuthenticationconfiguration', structuredConfigurationGate],
]);

const absent: GateState = { stage: 'absent', default: false, locked: false };

export const gateState = (gate: FeatureGate, release: Release): GateState => {
  const state = gate.states.findLast((candidate) => candidate.since <= release);
  return state === undefined || (state.until ?? Infinity) <= release ? absent : state;
};

/** Returns true once a release has removed the gate because its feature is always on. */
export const isRemoved = (gate: FeatureGate, release: Release): boolean =>
  gate.states.some(({ until = Number.POSITIVE_INFINITY }) => until <= release);

/** Returns true if the release has the gate. */
export const hasGate = (name: string, release: Release): boolean => {
  const gate = featureGates.find((candidate) => candidate.name === name);
  return gate !== undefined && gateState(gate, release).stage !== 'absent';
};

/**
 * Returns the default of every gate. A gate that was removed because its feature is always on
 * counts as enabled.
 */
export const defaultGates = (release: Release): FeatureGates =>
  new Map(featureGates.map((gate) => [gate.name, defaultOf(gate, release)]));

/** The result of parsing `--feature-gates`. */
export interface GateReading {
  readonly gates: FeatureGates;
  /** Error messages of kube-apiserver. */
  readonly errors: readonly string[];
  /** Values that are accepted but should be corrected. */
  readonly warnings: readonly string[];
}

const allAlpha = 'AllAlpha';
const allBeta = 'AllBeta';

/**
 * Parses the values of `--feature-gates`: `Name=true,Other=false`, each name optionally with the
 * prefix `kube:`.
 */
export const readGates = (values: readonly string[], release: Release): GateReading => {
  const requested = new Map<string, boolean>();
  const components = new Set<string>();
  for (const pair of values.flatMap((value) => value.split(','))) {
    if (pair === '') continue;
    const colon = pair.indexOf(':');
    const component = colon === -1 ? '' : pair.slice(0, colon).trim();
    const text = (colon === -1 ? pair : pair.slice(colon + 1)).trim();
    if (component !== '' && component !== 'kube')
      return failed(release, `component not registered: ${component}`);
    components.add(component);
    if (components.size > 1)
      return failed(
        release,
        'set kube feature gates with default empty prefix or kube: prefix consistently, do not mix use',
      );
    if (text === '') continue;
    const equals = text.indexOf('=');
    const name = (equals === -1 ? text : text.slice(0, equals)).trim();
    if (equals === -1) return failed(release, `missing bool value for ${name}`);
    const value = text.slice(equals + 1).trim();
    const on = parseGoBool(value);
    if (on === undefined)
      return failed(
        release,
        `invalid value of ${name}=${value}, err: strconv.ParseBool: parsing ${JSON.stringify(value)}: invalid syntax`,
      );
    requested.set(name, on);
  }
  return apply(requested, release);
};

const apply = (requested: ReadonlyMap<string, boolean>, release: Release): GateReading => {
  const gates = new Map(defaultGates(release));
  const errors: string[] = [];
  for (const [name, stage] of [
    [allAlpha, 'alpha'],
    [allBeta, 'beta'],
  ] as const) {
    const on = requested.get(name);
    if (on === undefined) continue;
    for (const gate of featureGates)
      if (gateState(gate, release).stage === stage) gates.set(gate.name, on);
  }
  const warnings: string[] = [];
  for (const [written, on] of requested) {
    if (written === allAlpha || written === allBeta) continue;
    const name = gateAliases.get(written) ?? written;
    if (name !== written) warnings.push(`feature gate ${written} is accepted as ${name}`);
    const gate = featureGates.find((candidate) => candidate.name === name);
    if (gate === undefined)
      return { gates, errors: [...errors, `unrecognized feature gate: ${name}`], warnings };
    const state = gateState(gate, release);
    const always = isRemoved(gate, release);
    if (always && on)
      warnings.push(
        `feature gate ${name} has no effect: its feature is always on in ${releaseName(release)} and the gate was removed`,
      );
    else if (always || (state.locked && state.default !== on))
      errors.push(`cannot set feature gate ${name} to ${on}, feature is locked to ${!on}`);
    else if (state.stage === 'absent')
      errors.push(
        `cannot set feature gate ${name} to ${on}, feature is PreAlpha at emulated version ` +
          `${releaseName(release)}, min compatibility version 1.${release - 1}`,
      );
    else gates.set(name, on);
  }
  return { gates, errors, warnings };
};

const defaultOf = (gate: FeatureGate, release: Release): boolean => {
  const last = gate.states.findLast((candidate) => candidate.since <= release);
  return last?.default ?? false;
};

const failed = (release: Release, error: string): GateReading => ({
  gates: defaultGates(release),
  errors: [error],
  warnings: [],
});

/** Parses a Boolean like Go's `strconv.ParseBool`. */
export const parseGoBool = (text: string): boolean | undefined => {
  if (['1', 't', 'T', 'TRUE', 'true', 'True'].includes(text)) return true;
  if (['0', 'f', 'F', 'FALSE', 'false', 'False'].includes(text)) return false;
  return undefined;
};
