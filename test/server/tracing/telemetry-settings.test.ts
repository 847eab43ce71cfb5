/** Which traces and metrics the environment variables of OpenTelemetry select. */
import { expect, test } from 'vitest';
import { readTelemetry } from '../../../engine/src/node/telemetry/telemetry-settings.ts';

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };
const read = (variables: Readonly<Record<string, string>>) =>
  readTelemetry((name) => new Map(Object.entries(variables)).get(name));
const always = { ratio: 1, followsParent: true };

test.each<[Readonly<Record<string, string>>]>([
  [{}],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: ' ' }],
  [{ ...endpoint, OTEL_SDK_DISABLED: 'TRUE' }],
  [{ ...endpoint, OTEL_TRACES_EXPORTER: 'none', OTEL_METRICS_EXPORTER: 'none' }],
  [{ OTEL_SERVICE_NAME: 'x', OTEL_TRACES_SAMPLER: 'always_on' }],
])('%j: off', (variables) => {
  expect(read(variables)).toEqual({ kind: 'off' });
});

test.each<[Readonly<Record<string, string>>, object]>([
  [endpoint, { traces: always, metrics: true }],
  [
    { ...endpoint, OTEL_METRICS_EXPORTER: 'none' },
    { traces: always, metrics: false },
  ],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://c' }, { traces: always, metrics: false }],
  [{ OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'http://c' }, { traces: undefined, metrics: true }],
  [
    { ...endpoint, OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '.1' },
    { traces: { ratio: 0.1, followsParent: true }, metrics: true },
  ],
  [
    { ...endpoint, OTEL_TRACES_SAMPLER: 'always_off' },
    { traces: { ratio: 0, followsParent: false }, metrics: true },
  ],
  [
    { ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf' },
    { traces: always, metrics: true },
  ],
])('%j: %j', (variables, settings) => {
  expect(read(variables)).toEqual({ kind: 'settings', settings });
});

test.each([
  ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc', 'http/protobuf'],
  ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'http/json', 'http/protobuf'],
  ['OTEL_TRACES_SAMPLER', 'jaeger_remote', 'parentbased_traceidratio'],
])('%s=%s is reported', (name, value, help) => {
  const reading = read({ ...endpoint, [name]: value });
  expect(reading).toEqual({
    kind: 'problem',
    message: `environment variable ${name}: unsupported value ${JSON.stringify(value)}`,
    help: expect.stringContaining(help),
  });
});

test.each(['-1', '2', 'x', 'NaN'])('the ratio %s is reported', (ratio) => {
  const sampler = { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: ratio };
  expect(read({ ...endpoint, ...sampler })).toMatchObject({ kind: 'problem' });
});
