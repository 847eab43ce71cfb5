/** A graph in sentences and pictures: text for people, Mermaid and DOT for drawing programs. */
import type { AnonymousNode } from '../authenticators/anonymous/node.ts';
import type {
  ClaimRuleNode,
  JwtNode,
  MappingNode,
  PrefixedMappingNode,
} from '../authenticators/jwt/node.ts';
import { releaseName } from '../model/release.ts';
import type { AuthenticatorGraph } from './graph.ts';

/** One part of the graph: its path in the configuration and a sentence. */
export interface ExplainedPart {
  /** `jwt[0].claimMappings.username`; `anonymous`. */
  readonly path: string;
  readonly sentence: string;
  readonly parts: readonly ExplainedPart[];
}

/** The graph's parts in the order in which a request meets them. */
export const explainGraph = (graph: AuthenticatorGraph): readonly ExplainedPart[] => [
  ...graph.nodes.map(explainJwt),
  { path: 'anonymous', sentence: explainAnonymous(graph.anonymous), parts: [] },
];

/** Indented sentences, one line each. */
export const graphText = (graph: AuthenticatorGraph): string => {
  const lines = [
    `Behaves as release ${releaseName(graph.targetRelease)}; reserved names end in ${graph.apiDomain}.`,
  ];
  const write = (parts: readonly ExplainedPart[], depth: number): void => {
    for (const part of parts) {
      lines.push(`${'  '.repeat(depth)}${part.path}: ${part.sentence}`);
      write(part.parts, depth + 1);
    }
  };
  write(explainGraph(graph), 0);
  return `${lines.join('\n')}\n`;
};

/** A flow chart for Mermaid. Text of the configuration is quoted, never markup. */
export const graphMermaid = (graph: AuthenticatorGraph): string => {
  const { boxes, arrows } = drawing(graph);
  return [
    'flowchart TD',
    ...boxes.map(({ id, label, shape }) => `  ${id}${mermaidShape(shape, mermaidText(label))}`),
    ...arrows.map(({ from, to, label }) =>
      label === '' ? `  ${from} --> ${to}` : `  ${from} -- "${mermaidText(label)}" --> ${to}`,
    ),
    '',
  ].join('\n');
};

/** A digraph for Graphviz. */
export const graphDot = (graph: AuthenticatorGraph): string => {
  const { boxes, arrows } = drawing(graph);
  return [
    'digraph authgraph {',
    '  node [fontname="sans-serif"];',
    ...boxes.map(
      ({ id, label, shape }) => `  ${id} [shape=${dotShapes[shape]}, label="${dotText(label)}"];`,
    ),
    ...arrows.map(({ from, to, label }) =>
      label === '' ? `  ${from} -> ${to};` : `  ${from} -> ${to} [label="${dotText(label)}"];`,
    ),
    '}',
    '',
  ].join('\n');
};

const explainJwt = (node: JwtNode): ExplainedPart => {
  const part = (field: string, sentence: string): ExplainedPart => ({
    path: `${node.id}.${field}`,
    sentence,
    parts: [],
  });
  const { username, groups, uid } = node;
  return {
    path: node.id,
    sentence: `takes tokens whose iss is ${quoted(node.issuerUrl)}.`,
    parts: [
      part(
        'issuer',
        `keys come from ${quoted(discoveryOf(node))}, trusted through ${node.certificateAuthority === undefined ? "the machine's roots" : 'its own roots'}; signed with ${node.signingAlgorithms.join(', ')}.`,
      ),
      part('issuer.audiences', `aud must hold ${listed(node.audiences.map(quoted), 'or')}.`),
      part('claimMappings.username', `the username is ${prefixed(username)}.`),
      ...(groups === undefined
        ? []
        : [part('claimMappings.groups', `the groups are ${prefixed(groups)}.`)]),
      ...(uid === undefined ? [] : [part('claimMappings.uid', `the UID is ${mapped(uid)}.`)]),
      ...node.extra.map(({ key, expression }, index) =>
        part(
          `claimMappings.extra[${index}]`,
          `extra ${quoted(key)} is the value of ${code(expression.text)}.`,
        ),
      ),
      ...node.claimValidationRules.map((rule, index) =>
        part(`claimValidationRules[${index}]`, `refuses unless ${claimRule(rule)}.`),
      ),
      ...node.userValidationRules.map(({ expression, message }, index) =>
        part(
          `userValidationRules[${index}]`,
          `refuses the user unless ${code(expression.text)}${saying(message)}.`,
        ),
      ),
    ],
  };
};

const explainAnonymous = (node: AnonymousNode): string => {
  if (!node.enabled) return 'a request without a credential is refused.';
  if (node.paths === undefined) return 'a request without a credential is system:anonymous.';
  if (node.paths.length === 0) return 'no path is open; a request without a credential is refused.';
  return `a request without a credential is system:anonymous on ${listed(node.paths.map(quoted), 'and')}, refused elsewhere.`;
};

const discoveryOf = (node: JwtNode): string =>
  node.discoveryUrl ?? `${node.issuerUrl.replace(/\/$/, '')}/.well-known/openid-configuration`;

const prefixed = (mapping: PrefixedMappingNode): string => {
  if (mapping.kind === 'expression') return `the value of ${code(mapping.expression.text)}`;
  const prefix = mapping.prefix === '' ? '' : ` with ${quoted(mapping.prefix)} before it`;
  return `claim ${quoted(mapping.claim)}${prefix}`;
};

const mapped = (mapping: MappingNode): string =>
  mapping.kind === 'claim'
    ? `claim ${quoted(mapping.claim)}`
    : `the value of ${code(mapping.expression.text)}`;

const claimRule = (rule: ClaimRuleNode): string =>
  rule.kind === 'claim'
    ? `claim ${quoted(rule.claim)} is ${quoted(rule.requiredValue)}`
    : `${code(rule.expression.text)}${saying(rule.message)}`;

const saying = (message: string): string => (message === '' ? '' : `, saying ${quoted(message)}`);
const quoted = (text: string): string => JSON.stringify(text);
const code = (expression: string): string => `\`${expression.replaceAll(/\s+/g, ' ').trim()}\``;

const listed = (items: readonly string[], word: string): string =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} ${word} ${items.at(-1)}`;

interface Box {
  readonly id: string;
  readonly label: string;
  readonly shape: 'step' | 'question' | 'end';
}

interface Arrow {
  readonly from: string;
  readonly to: string;
  readonly label: string;
}

/** What both pictures show: the way of a request from top to bottom. */
const drawing = (
  graph: AuthenticatorGraph,
): { readonly boxes: readonly Box[]; readonly arrows: readonly Arrow[] } => {
  const boxes: Box[] = [
    { id: 'request', label: 'request', shape: 'end' },
    { id: 'token', label: 'bearer token?', shape: 'question' },
    { id: 'accepted', label: 'accepted, with group system:authenticated', shape: 'end' },
    { id: 'refused', label: '401 Unauthorized', shape: 'end' },
  ];
  const arrows: Arrow[] = [{ from: 'request', to: 'token', label: '' }];
  for (const [index, node] of graph.nodes.entries()) {
    const explained = explainJwt(node);
    const steps = explained.parts.map((part, at) => ({
      id: `jwt${index}_${at}`,
      label: `${part.path}\n${part.sentence}`,
      shape: 'step' as const,
    }));
    boxes.push(...steps);
    for (const [at, step] of steps.entries()) {
      const previous = steps[at - 1];
      arrows.push({
        from: previous?.id ?? 'token',
        to: step.id,
        label: previous === undefined ? `iss = ${node.issuerUrl}` : '',
      });
    }
    const last = steps.at(-1);
    if (last !== undefined) arrows.push({ from: last.id, to: 'accepted', label: 'all passed' });
  }
  arrows.push({ from: 'token', to: 'refused', label: 'nobody takes it, or a step refuses' });
  const { anonymous } = graph;
  boxes.push({ id: 'anonymous', label: 'anonymous', shape: 'question' });
  arrows.push({ from: 'token', to: 'anonymous', label: 'none' });
  if (anonymous.enabled) {
    boxes.push({ id: 'anonymous_user', label: 'system:anonymous', shape: 'end' });
    arrows.push({
      from: 'anonymous',
      to: 'anonymous_user',
      label: anonymous.paths === undefined ? '' : `path is ${listed(anonymous.paths, 'or')}`,
    });
  }
  if (!anonymous.enabled || anonymous.paths !== undefined)
    arrows.push({ from: 'anonymous', to: 'refused', label: anonymous.enabled ? 'else' : 'off' });
  return { boxes, arrows };
};

const mermaidShape = (shape: Box['shape'], label: string): string => {
  if (shape === 'question') return `{"${label}"}`;
  return shape === 'end' ? `(["${label}"])` : `["${label}"]`;
};

/** Mermaid reads entities in quoted text; everything that could end or mark up the text becomes one. */
const mermaidText = (text: string): string =>
  text
    .replaceAll(/[^\p{L}\p{N} .,:/=()@|+*?!_-]/gu, (character) =>
      character === '\n' ? '\n' : `#${character.codePointAt(0) ?? 0};`,
    )
    .replaceAll('\n', '<br/>');

const dotShapes: Readonly<Record<Box['shape'], string>> = {
  step: 'box',
  question: 'diamond',
  end: 'oval',
};

const dotText = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
