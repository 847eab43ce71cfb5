/**
 * The picture of a graph: well-formed, escaped, not clipped, and correct about the path of a
 * sample.
 */
import { describe, expect, test } from 'vitest';
import type { AuthenticatorGraph } from '../../../engine/src/compile/graph.ts';
import { maxUnfoldedLanes } from '../../../engine/src/compile/graph-lanes.ts';
import { graphPicture, graphSvg } from '../../../engine/src/compile/graph-svg.ts';
import { truncateText, xmlText } from '../../../engine/src/compile/svg-text.ts';
import { readClaims } from '../../../engine/src/signed-token/payload.ts';
import { graphPath } from '../../../engine/src/simulate/preview/graph-path.ts';
import { compileText } from '../../support/compile-text.ts';

const entry = (name: string): string => `
- issuer: { url: "https://${name}.example", audiences: [app] }
  claimMappings:
    username: { claim: sub, prefix: 'oidc:' }
    groups: { expression: 'dyn(claims.groups)' }
  claimValidationRules:
  - { claim: hd, requiredValue: corp.example }
  - { expression: 'claims.team == "blue" || claims.team == "a very long name of a team without members"', message: "<b>wrong</b> & bad" }
  userValidationRules:
  - { expression: 'user.username != ""', message: empty }`;

const graphOf = (...names: readonly string[]): AuthenticatorGraph => {
  const { graph, diagnostics } = compileText(
    `apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\njwt:${names.map(entry).join('')}\n`,
  );
  if (graph === undefined) throw new Error(diagnostics.map(({ message }) => message).join());
  return graph;
};

const pathOf = (graph: AuthenticatorGraph, claims: object) => {
  const read = readClaims(new TextEncoder().encode(JSON.stringify(claims)));
  if (read === undefined) throw new Error('no claims');
  return graphPath(graph, read, { name: 'jane', now: 0 });
};

const jane = {
  iss: 'https://a.example',
  sub: 'jane',
  groups: ['dev'],
  hd: 'corp.example',
  aud: 'app',
  exp: 9,
};

/** Returns the tags in order; fails if they are not closed properly. */
const tagsOf = (svg: string): readonly string[] => {
  const open: string[] = [];
  const tags: string[] = [];
  const piece = /<(\/?)([a-z]+)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>|[^<]+/gy;
  let end = 0;
  for (const [text, closing, name, attributes = '', alone] of svg.matchAll(piece)) {
    end += text.length;
    if (name === undefined) {
      expect(text).not.toMatch(/&(?!(?:amp|lt|gt|quot|#39);)/);
      continue;
    }
    if (closing === '/') expect(open.pop()).toBe(name);
    else {
      tags.push(`${name}${attributes}`);
      if (alone !== '/') open.push(name);
    }
  }
  expect(end).toBe(svg.length);
  expect(open).toEqual([]);
  return tags;
};

const stateOf = (svg: string, id: string): string | undefined =>
  new RegExp(`<g class="node ?([a-z]*)" data-node="${id.replaceAll(/[[\].]/g, '\\$&')}"`).exec(
    svg,
  )?.[1];

const blue = { ...jane, team: 'blue' };

describe.each([
  ['one authenticator', graphOf('a'), undefined],
  ['the path of a sample', graphOf('a', 'b'), blue],
  [
    'none',
    compileText(
      'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\njwt: []\n',
    ).graph,
    undefined,
  ],
  ['64', graphOf(...Array.from({ length: 64 }, (_, index) => `a${index}`)), undefined],
  ['a narrow page', graphOf('a', 'b'), blue, 320],
] as const)('%s', (_, graph, claims, width?: number) => {
  if (graph === undefined) throw new Error('does not compile');
  const path = claims && pathOf(graph, claims);
  describe.each(['page', 'file'] as const)('for a %s', (target) => {
    const { svg, nodes } = graphPicture(graph, { path, width, for: target });
    const tags = tagsOf(svg);
    test('consists of shapes, texts and one style sheet', () => {
      expect([...new Set(tags.map((tag) => tag.split(/\s/)[0]))].toSorted()).toEqual([
        'desc',
        'g',
        'path',
        'rect',
        'style',
        'svg',
        'text',
        'title',
      ]);
      expect(svg).not.toMatch(/href|url\(|<script|\son[a-z]+=/i);
    });
    test('every step is exactly one node', () => {
      const ids = tags.flatMap((tag) => /data-node="([^"]+)"/.exec(tag)?.[1] ?? []);
      expect(new Set(ids).size).toBe(ids.length);
      expect(nodes.map(({ id }) => id)).toEqual(ids);
      for (const { label, details } of nodes) expect([label, ...details].join('')).not.toBe('');
    });
    test('no text is wider than its box, and no box is outside of the picture', () => {
      const [, width, height] = /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(svg)?.map(Number) ?? [];
      for (const box of svg.match(/<rect [^>]*rx="5"[\s\S]*?(?=<g class="node|$)/g) ?? []) {
        const [, x = 0, y = 0, w = 0] =
          /x="([\d.]+)" y="([\d.]+)" width="([\d.]+)"/.exec(box)?.map(Number) ?? [];
        expect(x + w).toBeLessThan(width ?? 0);
        expect(y + 44).toBeLessThan(height ?? 0);
        for (const [, text = ''] of box.matchAll(/<text[^>]*>([^<]*)</g)) {
          const letters = text.replaceAll(/&[^;]+;/g, '&').length;
          expect(letters * 6.6).toBeLessThanOrEqual(w - 20);
        }
      }
    });
  });
  test('only a page has buttons', () => {
    expect(graphSvg(graph, { path, for: 'file' })).not.toMatch(/tabindex|role="button"/);
    const page = graphSvg(graph, { path, for: 'page' });
    expect(page.match(/tabindex="0" role="button" aria-label="[^"]+"/g)?.length).toBe(
      page.match(/data-node=/g)?.length,
    );
  });
});

describe('the path of a sample', () => {
  const graph = graphOf('a', 'b');
  test('highlights steps that passed, marks the step that failed, and leaves the rest', () => {
    const svg = graphSvg(graph, { path: pathOf(graph, { ...jane, team: 'red' }), for: 'page' });
    expect(svg).toContain('Path of a sample: jane rejected by claimValidationRules[1]');
    for (const [id, state] of [
      ['request', 'lit'],
      ['jwt[0].issuer', 'lit'],
      ['jwt[0].claimMappings.groups', 'lit'],
      ['jwt[0].claimValidationRules[0]', 'lit'],
      ['jwt[0].claimValidationRules[1]', 'failed'],
      ['jwt[0].userValidationRules[0]', 'idle'],
      ['jwt[0].user', 'failed'],
      ['jwt[1]', 'idle'],
      ['rejected', 'idle'],
    ] as const) {
      expect([id, stateOf(svg, id)]).toEqual([id, state]);
    }
    expect(svg).toContain('aria-label="username, → &quot;oidc:jane&quot;, passed"');
  });
  test('ends at the user, or at the rejection', () => {
    const accepted = graphSvg(graph, { path: pathOf(graph, blue), for: 'page' });
    expect(stateOf(accepted, 'jwt[0].user')).toBe('lit');
    expect(accepted).toContain('oidc:jane · 2 groups');
    const otherIssuer = graphSvg(graph, {
      path: pathOf(graph, { iss: 'https://x.example' }),
      for: 'page',
    });
    expect(stateOf(otherIssuer, 'otherwise')).toBe('lit');
    expect(stateOf(otherIssuer, 'rejected')).toBe('failed');
    expect(stateOf(otherIssuer, 'jwt[0]')).toBe('idle');
  });
  test('without a sample no step has a state', () => {
    expect(graphSvg(graph, { for: 'page' })).not.toMatch(/class="(?:node|edge) /);
  });
});

describe('authenticators that the path does not reach', () => {
  test('are one row each on a page, and keep their steps in a file of few', () => {
    const graph = graphOf('a', 'b');
    const path = pathOf(graph, blue);
    const page = graphPicture(graph, { path, for: 'page' });
    const row = page.nodes.find(({ id }) => id === 'jwt[1]');
    expect(row?.label).toBe('b.example');
    expect(row?.details.join()).toContain('a very long name of a team without members');
    expect(page.nodes.some(({ id }) => id.startsWith('jwt[1].'))).toBe(false);
    expect(page.svg).toContain('audience app · username &quot;oidc:&quot; + claim sub');
    const file = graphPicture(graph, { path, for: 'file' });
    expect(file.nodes.map(({ id }) => id)).toContain('jwt[1].claimValidationRules[1]');
  });
  test('are one row each everywhere if there are many', () => {
    const names = Array.from({ length: maxUnfoldedLanes + 1 }, (_, index) =>
      index === 2 ? 'a' : `x${index}`,
    );
    const graph = graphOf(...names);
    for (const target of ['page', 'file'] as const) {
      const { nodes } = graphPicture(graph, { path: pathOf(graph, blue), for: target });
      const ids = nodes.map(({ id }) => id);
      expect(ids).toContain('jwt[2].claimValidationRules[1]');
      expect(ids.filter((id) => id.startsWith('jwt[3]'))).toEqual(['jwt[3]']);
    }
  });
  test('leave the request next to the path', () => {
    const graph = graphOf(...Array.from({ length: 64 }, (_, at) => (at === 40 ? 'a' : `x${at}`)));
    const path = pathOf(graph, blue);
    for (const width of [undefined, 320]) {
      const { svg } = graphPicture(graph, { path, width, for: 'page' });
      const topOf = (id: string): number =>
        Number(svg.split(`data-node="${id}"`)[1]?.match(/ y="([\d.]+)"/)?.[1]);
      expect(Math.abs(topOf('jwt[40].issuer') - topOf('request'))).toBeLessThan(100);
      expect(topOf('jwt[39]')).toBeLessThan(topOf('request') + 44);
    }
  });
});

test('entries with errors are hatched rows at their place', () => {
  const graph = graphOf('a', 'c');
  const invalid = [{ index: 1, issuerUrl: 'https://<b>.example', errors: ['one', '<i>two</i>'] }];
  const { svg, nodes, title } = graphPicture(graph, { invalid, for: 'page' });
  expect(title).toBe('Authenticator graph: 3 authenticators, 1 with errors');
  const ids = nodes.map(({ id }) => id).filter((id) => /^jwt\[\d\](?:\.issuer)?$/.test(id));
  // The graph of the test numbers its nodes without the invalid entry.
  expect(ids).toEqual(['jwt[0].issuer', 'jwt[1]', 'jwt[1].issuer']);
  expect(nodes.find(({ id }) => id === 'jwt[1]')).toEqual({
    id: 'jwt[1]',
    label: '2 errors: <b>.example',
    details: [
      'The entry has 2 errors, so kube-apiserver does not load the file.',
      'one',
      '<i>two</i>',
    ],
  });
  expect(svg.match(/class="hatches"/g)).toHaveLength(1);
  tagsOf(svg);
});

test('in a narrow page the steps are one below the other, in its width', () => {
  const graph = graphOf('a', 'b');
  const path = pathOf(graph, blue);
  const { svg } = graphPicture(graph, { path, width: 320, for: 'page' });
  expect(svg).toContain('viewBox="0 0 320 ');
  const boxes = [...svg.matchAll(/<rect x="([\d.]+)" y="([\d.]+)"[^>]*height="44"/g)];
  const lane = boxes.slice(1, 8);
  expect(new Set(lane.map(([, x]) => x)).size).toBe(1);
  const tops = lane.map(([, , y]) => Number(y));
  expect(tops).toEqual(tops.toSorted((one, other) => one - other));
  for (const width of [Number.NaN, -1, 0, 1e9]) {
    const drawn = graphPicture(graph, { path, width, for: 'page' });
    expect(drawn.svg).not.toContain('NaN');
  }
});

test('untrusted text is truncated by its width and escaped', () => {
  expect(truncateText('abcdef', 6)).toBe('abcdef');
  expect(truncateText('abcdefg', 6)).toBe('abcde…');
  expect(truncateText('日本語日本語', 6)).toBe('日本…');
  expect(truncateText('a\n  b', 10)).toBe('a b');
  expect(xmlText('<a b="c">&\u202e\u0000\'')).toBe(
    '&lt;a b=&quot;c&quot;&gt;&amp;\ufffd\u2400&#39;',
  );
});
