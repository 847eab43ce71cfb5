/** `authgraph doctor`: contacts the issuers of a configuration and reports what will fail. */
import type { AuthenticatorGraph, AuthenticatorNode } from '../../compile/graph.ts';
import { maxTokenLength } from '../../model/limits.ts';
import { type Secret, secret } from '../../model/secret.ts';
import { diagnoseIssuer, type IssuerDiagnosis, isWell } from '../../simulate/doctor/diagnose.ts';
import { issuerOfToken } from '../../simulate/doctor/token-findings.ts';
import { painter, wantsColor } from '../color.ts';
import {
  type CommandArguments,
  configFlag,
  configurationPath,
  defineCommand,
  fail,
  oneStandardInput,
  outputFlag,
  stringFlag,
  targetVersionFlag,
  tokenFileFlag,
} from '../command.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { loadGraph } from '../load-graph.ts';
import { portsAt } from '../ports-at.ts';

export const doctor = defineCommand({
  name: 'doctor',
  usage: '[flags] FILE',
  about:
    'Contacts each issuer of a configuration as kube-apiserver does, and checks its discovery document, issuer name, TLS, keys, algorithms and clock. Reports what will fail and how to fix it. Run it where kube-apiserver runs, because the result depends on its network.',
  flags: [
    configFlag,
    stringFlag('Input', 'issuer', 'URL', 'Contact only this issuer of the configuration.'),
    {
      ...tokenFileFlag,
      doc: 'File with a token to validate with the keys of its issuer; - reads standard input. No part of it is sent anywhere.',
    },
    outputFlag,
    targetVersionFlag,
  ],
  examples: [
    { line: 'authgraph doctor auth.yaml', does: 'check every issuer' },
    {
      line: 'kubectl oidc-login get-token | jq -r .status.token | authgraph doctor auth.yaml --token-file -',
      does: 'check whether this token is accepted',
    },
  ],
  operands: [0, 1],
  run: (read, io) => runDoctor(read, io),
});

const runDoctor = async (read: CommandArguments, io: Io): Promise<ExitCode> => {
  const { values } = read;
  const path = configurationPath(read);
  if (path === '-' && values.string('token-file') === '-') {
    return read.misuse(oneStandardInput);
  }
  const loaded = await loadGraph(read, path, io);
  const nodes = selectedIssuers(loaded.graph, values.string('issuer'));
  if (nodes.length === 0) return fail(io, noIssuerMessage(loaded.graph, values.string('issuer')));
  const token = await readToken(read, nodes, io);
  const report = await diagnoseIssuers(loaded.graph, nodes, token, io);
  print(report, read, io);
  return report.every(isWell) ? exitCodes.ok : exitCodes.problems;
};

const selectedIssuers = (
  { nodes }: AuthenticatorGraph,
  issuer: string,
): readonly AuthenticatorNode[] =>
  issuer === '' ? nodes : nodes.filter(({ issuerUrl }) => issuerUrl === issuer);

const noIssuerMessage = ({ nodes }: AuthenticatorGraph, issuer: string): string =>
  nodes.length === 0
    ? 'the configuration has no issuer'
    : `the configuration has no issuer ${JSON.stringify(issuer)}; it has ${nodes.map(({ issuerUrl }) => issuerUrl).join(', ')}`;

const readToken = async (
  { values }: CommandArguments,
  nodes: readonly AuthenticatorNode[],
  io: Io,
): Promise<Secret<string> | undefined> => {
  const path = values.string('token-file');
  if (path === '') return undefined;
  const file = await io.readText(path);
  if (file.kind === 'failure') return fail(io, file.reason);
  const text = file.text.trim().replace(/^(?:authorization:\s*)?bearer\s+/i, '');
  const token = secret(text);
  const issuer = text.length > maxTokenLength ? undefined : issuerOfToken(token);
  if (issuer === undefined) return fail(io, `${path} does not contain a JWT`);
  if (!nodes.some(({ issuerUrl }) => issuerUrl === issuer)) {
    return fail(
      io,
      `the token was issued by ${JSON.stringify(issuer)}, which is not one of the selected issuers`,
    );
  }
  return token;
};

/** Diagnoses one issuer after another, so that the output has the order of the file. */
const diagnoseIssuers = async (
  graph: AuthenticatorGraph,
  nodes: readonly AuthenticatorNode[],
  token: Secret<string> | undefined,
  io: Io,
): Promise<readonly IssuerDiagnosis[]> => {
  const { nodeHttpClient } = await import('../../node/http-client.ts');
  const http = nodeHttpClient();
  const ports = portsAt(0, 'running', http);
  const report: IssuerDiagnosis[] = [];
  try {
    for (const node of nodes) {
      if (io.stderr.isTerminal) io.stderr.write(`contacting ${node.issuerUrl}\n`);
      const options = { graph, ports, signal: io.signal };
      report.push(
        await diagnoseIssuer(node, token === undefined ? options : { ...options, token }),
      );
    }
  } finally {
    await http.close();
  }
  return report;
};

const signs = { ok: '✓', warning: '!', error: '✗' } as const;
const colors = { ok: 'green', warning: 'yellow', error: 'red' } as const;

const print = (report: readonly IssuerDiagnosis[], { values }: CommandArguments, io: Io): void => {
  if (values.string('output') === 'json') {
    const issuers = report.map((diagnosis) => ({ ...diagnosis, well: isWell(diagnosis) }));
    io.stdout.write(`${JSON.stringify({ version: 1, issuers }, undefined, 2)}\n`);
    return;
  }
  const paint = painter(wantsColor(values.string('color'), io.stdout, io));
  for (const { id, url, findings } of report) {
    io.stdout.write(`${paint('bold', url)} (${id})\n`);
    for (const { level, text, help } of findings) {
      io.stdout.write(`  ${paint(colors[level], signs[level])} ${text}\n`);
      if (help !== '') io.stdout.write(`    ${paint('dim', help)}\n`);
    }
  }
};
