/** The graph: nodes with their places and states, and the text alternatives. */
import { type GraphAnswer, graphRequest } from '../../language-server/src/protocol.ts';
import { runFixtures } from '../support/language-fixtures.ts';

runFixtures('graph', async ({ client, uri, fixture }) => {
  const { ask = {} } = fixture.settings as { readonly ask?: object };
  const answer = await client.connection.sendRequest<GraphAnswer>(graphRequest, { uri, ...ask });
  return [
    ...(answer.problem === undefined ? [] : [`problem: ${answer.problem}`]),
    ...(answer.sample === undefined ? [] : [`sample: ${answer.sample.name}`]),
    ...answer.pictures.flatMap(({ title, svg, nodes, mermaid, text, commandLine, namesFile }) => [
      `# ${title}`,
      `$ ${commandLine}${namesFile ? '' : ' <'}`,
      ...nodes.map(({ id, label, details, place }) => {
        const state = stateOf(svg, id);
        const start = place && `${place.range.start.line + 1}:${place.range.start.character + 1}`;
        return `${id}${state === '' ? '' : ` ${state}`}${start === undefined ? '' : ` @${start}`} | ${[label, ...details].join(' | ')}`;
      }),
      ...mermaid.split('\n').filter((line) => /^ {2}(class|invalid)/.test(line)),
      ...text
        .trimEnd()
        .split('\n')
        .map((line) => `> ${line}`),
    ]),
  ].join('\n');
});

const stateOf = (svg: string, id: string): string =>
  svg
    .split('<g class="node')
    .find((node) => node.includes(`data-node="${id}"`))
    ?.split('"')[0]
    ?.trim() ?? 'missing';
