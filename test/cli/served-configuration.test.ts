/** The `--oidc-*` flags as a jwt entry, compared with results of kube-apiserver's flag parser. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { servedConfiguration } from '../../engine/src/cli/served-configuration.ts';
import { writeArtifact } from '../../engine/src/compile/artifact.ts';
import { compile } from '../../engine/src/compile/compile.ts';
import { defaultSettings } from '../../engine/src/compile/settings.ts';
import { nodeDigest } from '../../engine/src/node/digest.ts';
import { readServeOptions } from '../../engine/src/server/flags/options.ts';
import { sourceFile } from '../../engine/src/source/source-file.ts';
import { capturedIo } from '../support/captured-io.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const both = ['--oidc-issuer-url=https://i.example.com', '--oidc-client-id=x'];

const nodeFor = async (args: readonly string[]) => {
  const reading = readServeOptions(args);
  if (reading.kind !== 'options') throw new Error(JSON.stringify(reading));
  const served = await servedConfiguration(reading.options, capturedIo().io);
  if (served.kind !== 'configuration' || served.source.kind !== 'text')
    throw new Error(JSON.stringify(served));
  const { graph, diagnostics } = compile({
    source: sourceFile(served.source.name, served.source.text),
    settings: served.settings,
  });
  expect(diagnostics).toEqual([]);
  return graph?.nodes[0];
};

describe('a jwt entry from flags', () => {
  test('with only issuer and client', async () => {
    expect(await nodeFor(both)).toEqual({
      module: 'jwt',
      id: 'jwt[0]',
      issuerUrl: 'https://i.example.com',
      discoveryUrl: undefined,
      certificateAuthority: undefined,
      audiences: ['x'],
      signingAlgorithms: ['RS256'],
      claimValidationRules: [],
      username: { kind: 'claim', claim: 'sub', prefix: 'https://i.example.com#' },
      groups: undefined,
      uid: undefined,
      extra: [],
      userValidationRules: [],
    });
  });
  test.each([
    [['--oidc-username-prefix=-'], { username: { kind: 'claim', claim: 'sub', prefix: '' } }],
    [['--oidc-username-prefix=p:'], { username: { kind: 'claim', claim: 'sub', prefix: 'p:' } }],
    [['--oidc-username-claim=email'], { username: { kind: 'claim', claim: 'email', prefix: '' } }],
    [
      ['--oidc-username-claim=email', '--oidc-username-prefix=e:'],
      { username: { kind: 'claim', claim: 'email', prefix: 'e:' } },
    ],
    [['--oidc-groups-claim=g'], { groups: { kind: 'claim', claim: 'g', prefix: '' } }],
    [
      ['--oidc-groups-claim=g', '--oidc-groups-prefix=g:'],
      { groups: { kind: 'claim', claim: 'g', prefix: 'g:' } },
    ],
    [['--oidc-groups-prefix=g:'], { groups: undefined }],
    [['--oidc-signing-algs=ES256,PS256'], { signingAlgorithms: ['ES256', 'PS256'] }],
    [['--oidc-signing-algs='], { signingAlgorithms: ['RS256'] }],
    [
      ['--oidc-required-claim=a=b', '--oidc-required-claim=a=c'],
      { claimValidationRules: [{ kind: 'claim', claim: 'a', requiredValue: 'c' }] },
    ],
    [
      ['--oidc-required-claim=__proto__=b'],
      { claimValidationRules: [{ kind: 'claim', claim: '__proto__', requiredValue: 'b' }] },
    ],
  ])('%j', async (args, part) => {
    expect(await nodeFor([...both, ...args])).toMatchObject(part);
  });
});

test('rejects an unsupported algorithm', async () => {
  const reading = readServeOptions([...both, '--oidc-signing-algs=RS256,HS256']);
  if (reading.kind !== 'options') throw new Error('no options');
  expect(await servedConfiguration(reading.options, capturedIo().io)).toMatchObject({
    kind: 'problem',
    problems: [{ message: 'oidc: unsupported signing alg: "HS256"' }],
  });
});

describe('the API domain of a server', () => {
  const { path: folder, write: file } = temporaryFolder();
  const own = 'apiVersion: apiserver.config.platform.io/v1\nkind: AuthenticationConfiguration\n';
  const otherFile = own.replace('platform.io', 'k8s.io');
  const artifact = (): string => {
    const source = sourceFile('own.yaml', own);
    const { graph } = compile({ source, settings: defaultSettings });
    if (graph === undefined) throw new Error('no graph');
    return writeArtifact(graph, own, nodeDigest());
  };
  test.each([
    ['as the file says', own, [], 'platform.io'],
    ['as another file says', otherFile, [], 'k8s.io'],
    [
      'as a file of JSON says',
      '{"apiVersion":"apiserver.config.platform.io/v1"}',
      [],
      'platform.io',
    ],
    ['as an artifact says', artifact(), [], 'platform.io'],
    ['as the flag says, whatever the file', own, ['--api-domain=k8s.io'], 'k8s.io'],
    ['not by a comment', `# ${own}`, [], undefined],
    ['not by a broken file', '{', [], undefined],
  ])('%s', async (name, text, flags, domain) => {
    const args = [`--authentication-config=${file(name, text)}`, ...flags];
    const reading = readServeOptions(args);
    if (reading.kind !== 'options') throw new Error('no options');
    const served = await servedConfiguration(reading.options, capturedIo().io);
    if (served.kind !== 'configuration') throw new Error(served.problems[0].message);
    expect(served.settings.apiDomain).toBe(domain);
  });
  test('is unknown for a missing file', async () => {
    const reading = readServeOptions([`--authentication-config=${join(folder, 'missing')}`]);
    if (reading.kind !== 'options') throw new Error('no options');
    const served = await servedConfiguration(reading.options, capturedIo().io);
    expect(served).toMatchObject({ kind: 'configuration', settings: { apiDomain: undefined } });
  });
});
