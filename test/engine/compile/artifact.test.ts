import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  artifactSchemaVersion,
  hashGraph,
  isArtifactText,
  readArtifact,
  readArtifactByChecksum,
  writeArtifact,
} from '../../../engine/src/compile/artifact.ts';
import { canonicalJson } from '../../../engine/src/compile/canonical-json.ts';
import { graphDot, graphMermaid, graphText } from '../../../engine/src/compile/explain.ts';
import type { AuthenticatorGraph } from '../../../engine/src/compile/graph.ts';

const digest = {
  sha256Hex: (text: string) => createHash('sha256').update(text).digest('hex'),
  fingerprint: (text: string) => text,
  sha256: () => new Uint8Array(),
};

const expression = (text: string) => ({ text, code: { z: 1, a: [text] } });

const graph: AuthenticatorGraph = {
  apiDomain: 'k8s.io',
  targetRelease: 37,
  anonymous: { module: 'anonymous', enabled: true, paths: ['/livez'], fromFile: true },
  nodes: [
    {
      module: 'jwt',
      id: 'jwt[0]',
      issuerUrl: 'https://issuer.example',
      discoveryUrl: undefined,
      certificateAuthority: '-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n',
      audiences: ['app', 'web'],
      signingAlgorithms: ['ES256', 'RS256'],
      claimValidationRules: [
        { kind: 'claim', claim: 'hd', requiredValue: 'example.com' },
        { kind: 'expression', expression: expression('claims.a == "]\n<b>"'), message: 'no "a"' },
      ],
      username: { kind: 'claim', claim: 'sub', prefix: 'a:' },
      groups: { kind: 'expression', expression: expression('dyn(claims.g)') },
      uid: { kind: 'claim', claim: 'uid' },
      extra: [{ key: 'example.org/x', expression: expression('"x"') }],
      userValidationRules: [{ expression: expression('user.username != ""'), message: '' }],
    },
  ],
};

const text = writeArtifact(graph, 'the file', digest);
const messageOf = (changed: string): string => {
  const reading = readArtifact(changed, digest);
  expect(readArtifactByChecksum(changed)).toEqual(reading);
  return reading.kind === 'error' ? reading.message : '';
};

describe('an artifact', () => {
  test('contains the graph and its hashes', () => {
    const reading = readArtifact(text, digest);
    expect(readArtifactByChecksum(text)).toEqual(reading);
    expect(reading).toEqual({
      kind: 'artifact',
      artifact: {
        schemaVersion: artifactSchemaVersion,
        sourceHash: digest.sha256Hex('the file'),
        graphHash: hashGraph(graph, digest),
        graph: JSON.parse(JSON.stringify(graph)),
      },
    });
  });
  test('has the same bytes for the same data, independent of the order of members', () => {
    const reversed = Object.fromEntries(Object.entries(graph).reverse()) as unknown as typeof graph;
    expect(writeArtifact(reversed, 'the file', digest)).toBe(text);
    expect(text).toBe(
      `${canonicalJson({
        artifact: 'authgraph',
        checksum: JSON.parse(text).checksum,
        graph,
        graphHash: hashGraph(graph, digest),
        schemaVersion: artifactSchemaVersion,
        sourceHash: digest.sha256Hex('the file'),
      })}\n`,
    );
  });
  test('is recognized by its start', () => {
    expect(isArtifactText(text)).toBe(true);
    expect(isArtifactText(`\n${text}`)).toBe(true);
    expect(isArtifactText('{"apiVersion": "apiserver.config.k8s.io/v1"}')).toBe(false);
    expect(isArtifactText('artifact: authgraph')).toBe(false);
  });
  test('may be reformatted over several lines', () => {
    const printed = JSON.stringify(JSON.parse(text), undefined, 2);
    expect(isArtifactText(printed)).toBe(true);
    expect(readArtifact(printed, digest)).toEqual(readArtifact(text, digest));
    expect(readArtifactByChecksum(printed)).toEqual(readArtifact(text, digest));
  });
  test.each<[string, (whole: string) => string, RegExp]>([
    ['a changed graph', (whole) => whole.replace('issuer.example', 'issuer.evil'), /was changed/],
    [
      'a changed graph, reformatted',
      (whole) => JSON.stringify(JSON.parse(whole.replace('"app"', '"aqq"')), undefined, 1),
      /was changed/,
    ],
    [
      'a changed hash of the text',
      (whole) => whole.replace(digest.sha256Hex('the file'), digest.sha256Hex('a file')),
      /was changed/,
    ],
    [
      'a changed checksum',
      (whole) => whole.replace(/"checksum":"../, '"checksum":"zz'),
      /was changed/,
    ],
    ['no checksum', (whole) => whole.replace(/"checksum":"[^"]*",/, ''), /is incomplete/],
    [
      'a newer schema',
      (whole) => whole.replace('"schemaVersion":3', '"schemaVersion":4'),
      /schema version 4, this program reads 3; update/,
    ],
    [
      'an older schema',
      (whole) => whole.replace('"schemaVersion":3', '"schemaVersion":1'),
      /old schema version 1.*compile the configuration again/,
    ],
    ['a truncated text', (whole) => whole.slice(0, -20), /not complete JSON/],
    [
      'no graph',
      () => '{"artifact":"authgraph","graphHash":"","schemaVersion":3,"sourceHash":""}',
      /is incomplete/,
    ],
    ['another program', () => '{"artifact":"other"}', /not an AuthGraph artifact/],
    ['no version', () => '{"artifact":"authgraph"}', /no schema version/],
  ])('%s is rejected', (_, change, message) => {
    expect(messageOf(change(text))).toMatch(message);
  });
  test('the hash detects a graph and a checksum that were changed together', () => {
    const forged = writeArtifact({ ...graph, targetRelease: 36 }, 'the file', {
      ...digest,
      sha256Hex: (hashed) =>
        digest.sha256Hex(hashed === 'the file' ? hashed : canonicalJson(graph)),
    });
    expect(readArtifactByChecksum(forged).kind).toBe('artifact');
    expect(readArtifact(forged, digest)).toMatchObject({ kind: 'error' });
  });
  test('a single changed character is rejected or changes nothing', () => {
    fc.assert(
      fc.property(
        fc.nat(text.length - 2),
        fc.constantFrom('a', '0', '"', ' ', '}'),
        (at, letter) => {
          const changed = text.slice(0, at) + letter + text.slice(at + 1);
          const reading = readArtifactByChecksum(changed);
          expect(readArtifact(changed, digest)).toEqual(reading);
          if (reading.kind === 'artifact')
            expect(reading.artifact.graph).toEqual(JSON.parse(JSON.stringify(graph)));
        },
      ),
    );
  });
});

test('canonical JSON sorts members at every depth and keeps lists', () => {
  expect(canonicalJson({ b: [3, { d: undefined, c: 1 }], a: 'é' })).toBe(
    '{"a":"é","b":[3,{"c":1}]}',
  );
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

describe('descriptions of a graph', () => {
  test('sentences are in the order of the request', () => {
    expect(graphText(graph).split('\n')).toEqual([
      'Behaves as release 1.37; reserved names end in k8s.io.',
      'jwt[0]: accepts tokens whose iss is "https://issuer.example".',
      '  jwt[0].issuer: keys come from "https://issuer.example/.well-known/openid-configuration", verified with issuer.certificateAuthority; tokens are signed with ES256, RS256.',
      '  jwt[0].issuer.audiences: aud must contain "app" or "web".',
      '  jwt[0].claimMappings.username: the username is claim "sub" with the prefix "a:".',
      '  jwt[0].claimMappings.groups: the groups are the value of `dyn(claims.g)`.',
      '  jwt[0].claimMappings.uid: the UID is claim "uid".',
      '  jwt[0].claimMappings.extra[0]: extra "example.org/x" is the value of `"x"`.',
      '  jwt[0].claimValidationRules[0]: the token is rejected unless claim "hd" is "example.com".',
      '  jwt[0].claimValidationRules[1]: the token is rejected unless `claims.a == "] <b>"`, with the message "no \\"a\\"".',
      '  jwt[0].userValidationRules[0]: the user is rejected unless `user.username != ""`.',
      'anonymous: requests without a credential are system:anonymous on "/livez" and rejected on other paths.',
      '',
    ]);
  });
  test('no string of the configuration becomes markup', () => {
    const mermaid = graphMermaid(graph);
    for (const line of mermaid.split('\n').slice(1, -1))
      expect(line).toMatch(
        /^ {2}\w+(?:[{([]+"[^"<>`]*(?:<br\/>[^"<>`]*)*"[})\]]+| -->| -- "[^"<>]*" -->)(?: ?\w+)?$/,
      );
    const dot = graphDot(graph);
    expect(dot).toContain('\\"example.com\\"');
    for (const line of dot.split('\n').slice(2, -2))
      expect(line).toMatch(
        /^ {2}\w+(?: -> \w+)?(?: \[(?:shape=\w+, )?label="(?:[^"\\]|\\.)*"\])?;$/,
      );
  });
});
