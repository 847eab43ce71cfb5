/** A graph in sentences and pictures: text for people, Mermaid and DOT for drawing programs. */
import { explainAnonymous } from '../authenticators/anonymous/index.ts';
import { explainAuthenticatingProxy } from '../authenticators/authenticating-proxy/index.ts';
import { explainBootstrapToken } from '../authenticators/bootstrap-token/index.ts';
import { explainClientCertificate } from '../authenticators/client-certificate/index.ts';
import { type ExplainedPart, listed } from '../authenticators/explained-part.ts';
import { explainJwt } from '../authenticators/jwt/index.ts';
import { explainLegacyServiceAccountToken } from '../authenticators/legacy-service-account-token/index.ts';
import { explainServiceAccountToken } from '../authenticators/service-account-token/index.ts';
import { explainStaticToken } from '../authenticators/static-token/index.ts';
import { explainWebhookToken } from '../authenticators/webhook-token/index.ts';
import { releaseName } from '../model/release.ts';
import type { AuthenticatorGraph } from './graph.ts';

/** The graph's parts in the order in which a request meets them. */
export const explainGraph = (graph: AuthenticatorGraph): readonly ExplainedPart[] => [
  ...requestParts(graph),
  ...tokenPartsBeforeJwt(graph),
  ...graph.nodes.map(explainJwt),
  ...explained(graph.webhookToken, explainWebhookToken),
  explainAnonymous(graph.anonymous),
];

const requestParts = (graph: AuthenticatorGraph): readonly ExplainedPart[] => [
  ...explained(graph.authenticatingProxy, explainAuthenticatingProxy),
  ...explained(graph.clientCertificate, explainClientCertificate),
];

const tokenPartsBeforeJwt = (graph: AuthenticatorGraph): readonly ExplainedPart[] => [
  ...explained(graph.staticToken, explainStaticToken),
  ...explained(graph.legacyServiceAccountToken, explainLegacyServiceAccountToken),
  ...explained(graph.serviceAccountToken, explainServiceAccountToken),
  ...explained(graph.bootstrapToken, explainBootstrapToken),
];

const explained = <Node>(
  node: Node | undefined,
  explain: (node: Node) => ExplainedPart,
): readonly ExplainedPart[] => (node === undefined ? [] : [explain(node)]);

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
  const arrows: Arrow[] = [];
  /** A chain of modules that each may accept; gives where the way goes on. */
  const chain = (parts: readonly ExplainedPart[], from: string, label: string): string => {
    let last = from;
    for (const { path, sentence } of parts) {
      const id = `module_${path.replaceAll('-', '_')}`;
      boxes.push({ id, label: `${path}\n${sentence}`, shape: 'step' });
      arrows.push({ from: last, to: id, label: last === from ? label : 'else' });
      arrows.push({ from: id, to: 'accepted', label: 'accepts' });
      last = id;
    }
    return last;
  };
  const beforeToken = chain(requestParts(graph), 'request', '');
  arrows.push({ from: beforeToken, to: 'token', label: beforeToken === 'request' ? '' : 'else' });
  const beforeJwt = chain(tokenPartsBeforeJwt(graph), 'token', 'yes');
  chain(explained(graph.webhookToken, explainWebhookToken), beforeJwt, 'no jwt entry takes it');
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
        from: previous?.id ?? beforeJwt,
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
