/**
 * The environment variables of OpenTelemetry that select what is exported and sampled. The
 * exporters read the others themselves: endpoint, headers, timeout, compression and certificates.
 */

/** Which spans of new traces are recorded. */
export interface Sampling {
  /** The share of traces that are recorded, from 0 to 1. */
  readonly ratio: number;
  /** Whether the decision of a caller that sent a trace context takes precedence. */
  readonly followsParent: boolean;
}

export interface TelemetrySettings {
  readonly traces: Sampling | undefined;
  readonly metrics: boolean;
}

export type TelemetryReading =
  | { readonly kind: 'off' }
  | { readonly kind: 'settings'; readonly settings: TelemetrySettings }
  | { readonly kind: 'problem'; readonly message: string; readonly help: string };

/** Names of the variables with an endpoint, without which nothing is exported. */
const endpointOf = {
  both: 'OTEL_EXPORTER_OTLP_ENDPOINT',
  traces: 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  metrics: 'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT',
} as const;

/** Reads the variables; without an endpoint, telemetry is off. */
export const readTelemetry = (variable: (name: string) => string | undefined): TelemetryReading => {
  const textOf = (name: string): string => variable(name)?.trim() ?? '';
  if (textOf('OTEL_SDK_DISABLED').toLowerCase() === 'true') return { kind: 'off' };
  const isExported = (signal: 'traces' | 'metrics'): boolean =>
    textOf(`OTEL_${signal.toUpperCase()}_EXPORTER`) !== 'none' &&
    (textOf(endpointOf.both) !== '' || textOf(endpointOf[signal]) !== '');
  const traces = isExported('traces');
  const metrics = isExported('metrics');
  if (!traces && !metrics) return { kind: 'off' };
  const protocol = ['', '_TRACES', '_METRICS']
    .map((signal) => `OTEL_EXPORTER_OTLP${signal}_PROTOCOL`)
    .find((name) => !['', 'http/protobuf'].includes(textOf(name)));
  if (protocol !== undefined)
    return problem(protocol, textOf(protocol), 'Use http/protobuf, or remove the variable.');
  const sampler = textOf('OTEL_TRACES_SAMPLER') || 'parentbased_always_on';
  const sampling = samplingOf(sampler, textOf('OTEL_TRACES_SAMPLER_ARG'));
  if (sampling === 'unknown sampler')
    return problem('OTEL_TRACES_SAMPLER', sampler, `Use ${samplers.join(', ')}.`);
  if (sampling === 'invalid ratio')
    return problem(
      'OTEL_TRACES_SAMPLER_ARG',
      textOf('OTEL_TRACES_SAMPLER_ARG'),
      'Use a number from 0 to 1.',
    );
  return { kind: 'settings', settings: { traces: traces ? sampling : undefined, metrics } };
};

const problem = (name: string, value: string, help: string): TelemetryReading => ({
  kind: 'problem',
  message: `environment variable ${name}: unsupported value ${JSON.stringify(value.slice(0, 80))}`,
  help,
});

const roots = ['always_on', 'always_off', 'traceidratio'] as const;
const samplers = [...roots, ...roots.map((name) => `parentbased_${name}`)];

const samplingOf = (
  sampler: string,
  argument: string,
): Sampling | 'unknown sampler' | 'invalid ratio' => {
  const followsParent = sampler.startsWith('parentbased_');
  const root = followsParent ? sampler.slice('parentbased_'.length) : sampler;
  switch (root) {
    case 'always_on':
      return { ratio: 1, followsParent };
    case 'always_off':
      return { ratio: 0, followsParent };
    case 'traceidratio': {
      const ratio = argument === '' ? 1 : Number(argument);
      return ratio >= 0 && ratio <= 1 ? { ratio, followsParent } : 'invalid ratio';
    }
    default:
      return 'unknown sampler';
  }
};
