/**
 * The files of deploy/ agree with the product: their flags and metrics exist, values and schema of the chart describe the
 * same names, and the page about deployment lists the alerts. `test/system` runs the files.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { metricCatalog } from '../../engine/src/model/metric-catalog.ts';
import { serveFlags } from '../../engine/src/server/flags/serve-flags.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const chart = 'deploy/helm/authgraph';

describe('flags', () => {
  const known = new Set(serveFlags.map(({ name }) => name));

  test.each([
    `${chart}/templates/_pod.tpl`,
    'deploy/static-pod/authgraph.yaml',
    'deploy/systemd/authgraph.service',
  ])('of %s', (path) => {
    const named = [...read(path).matchAll(/(?:^|\s|")--(?<flag>[a-z][a-z-]*)=/gm)].map(
      ({ groups }) => groups?.flag ?? '',
    );
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((flag) => !known.has(flag))).toEqual([]);
  });
});

describe('metrics', () => {
  const seriesNames = new Map(
    metricCatalog.flatMap((row) =>
      (row.kind === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']).map(
        (suffix) => [`${row.name}${suffix}`, row] as const,
      ),
    ),
  );
  /** Labels that Prometheus adds. */
  const ofPrometheus = ['job', 'namespace', 'pod', 'instance'];
  const dashboard = JSON.parse(read(`${chart}/files/dashboard.json`));
  const alerts = parse(read(`${chart}/files/alerts.yaml`)).groups[0].rules;
  const expressions: readonly (readonly [string, string])[] = [
    ...alerts.map((rule: { alert: string; expr: string }) => [rule.alert, rule.expr]),
    ...dashboard.panels.flatMap((panel: { title: string; targets: readonly { expr: string }[] }) =>
      panel.targets.map(({ expr }) => [panel.title, expr]),
    ),
  ];

  test.each(expressions)('%s', (_name, expression) => {
    const selectors = [...expression.matchAll(/(?<name>[a-z_]+)\{(?<labels>[^}]*)\}/g)];
    expect(selectors).not.toHaveLength(0);
    for (const { groups: { name = '', labels = '' } = {} } of selectors) {
      expect(labels).toContain('job="authgraph"');
      if (name === 'up') continue;
      const row = seriesNames.get(name);
      expect(row, name).toBeDefined();
      for (const [, label = '', value = ''] of labels.matchAll(/([a-z_]+)=~?"([^"]*)"/g)) {
        if (ofPrometheus.includes(label)) continue;
        const values = row?.labels.get(label);
        expect(values === 'digest' || values?.includes(value), `${label}="${value}"`).toBe(true);
      }
    }
  });

  test('there are five alerts, and docs/running/deploy.md has each', () => {
    const names = alerts.map(({ alert }: { readonly alert: string }) => alert);
    expect(names).toHaveLength(5);
    const page = read('docs/running/deploy.md');
    expect(names.filter((name: string) => !page.includes(`| \`${name}\` |`))).toEqual([]);
  });
});

test('values.yaml and values.schema.json have the same names', () => {
  const namesOf = (value: unknown, schema: unknown, place: string): readonly string[] => {
    const properties = (schema as { readonly properties?: Record<string, unknown> }).properties;
    if (properties === undefined || typeof value !== 'object' || value === null) return [];
    const names = Object.keys(value);
    return [
      ...names.filter((name) => !(name in properties)).map((name) => `${place}${name}: no schema`),
      ...Object.keys(properties)
        .filter((name) => !names.includes(name) && !optional.has(`${place}${name}`))
        .map((name) => `${place}${name}: no value`),
      ...Object.entries(value).flatMap(([name, one]) =>
        namesOf(one, properties[name] ?? {}, `${place}${name}.`),
      ),
    ];
  };
  // Helm's own, and a reference without a default.
  const reference = 'tls.certManager.servingIssuerRef';
  const optional = new Set([
    'global',
    ...['name', 'kind', 'group'].map((name) => `${reference}.${name}`),
  ]);
  const schema = JSON.parse(read(`${chart}/values.schema.json`));
  expect(namesOf(parse(read(`${chart}/values.yaml`)), schema, '')).toEqual([]);
});

test('the chart and the image have the version of the package', () => {
  const { version } = JSON.parse(read('engine/package.json'));
  expect(parse(read(`${chart}/Chart.yaml`))).toMatchObject({ version, appVersion: version });
});

test('every folder of deploy/ is described', () => {
  const page = read('deploy/README.md');
  const folders = readdirSync(join(root, 'deploy')).filter((name) =>
    statSync(join(root, 'deploy', name)).isDirectory(),
  );
  expect(folders.filter((name) => !page.includes(`](${name}`))).toEqual([]);
});

test('no script of deploy/ depends on tests', () => {
  const scripts = readdirSync(join(root, 'deploy'), { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts'),
  );
  expect(scripts.length).toBeGreaterThan(20);
  // Neither an import nor a path to a file.
  expect(scripts.filter((name) => /'(?:\.\.\/)*test\//.test(read(`deploy/${name}`)))).toEqual([]);
});
