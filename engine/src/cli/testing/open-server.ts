/**
 * Opens the authenticators for whole requests: the configuration, the modules of the flags, and a
 * snapshot of the stored objects.
 */
import { X509Certificate } from 'node:crypto';
import type { AuthenticatorGraph } from '../../compile/graph.ts';
import type { FileReport } from '../../diagnostics/render.ts';
import { diagnosticOf } from '../../diagnostics/rule.ts';
import { pemBlocks } from '../../formats/x509/pem.ts';
import type { JsonObject } from '../../model/json.ts';
import type { PeerCertificates } from '../../model/request.ts';
import { reveal } from '../../model/secret.ts';
import { readSnapshot } from '../../node/files.ts';
import type { Ports } from '../../ports/ports.ts';
import { readObjectManifests } from '../../rbac/role-manifests.ts';
import { readOfflineFlags } from '../../server/offline/offline-flags.ts';
import { openOfflineServer } from '../../server/offline/offline-server.ts';
import {
  createTestAuthorities,
  type TestAuthorities,
} from '../../server/offline/test-authorities.ts';
import type { DecideRequest } from '../../simulate/tests/decide-cases.ts';
import { invalidTest } from '../../simulate/tests/findings.ts';
import type { TestCertificate, TestRequest } from '../../simulate/tests/test-case.ts';
import type { TestEnvironment, WrittenText } from '../../simulate/tests/test-file.ts';
import type { SourceFile } from '../../source/source-file.ts';
import type { Span } from '../../source/span.ts';
import { type BoundedFolder, resolveBounded } from '../bounded-paths.ts';
import type { Io } from '../io.ts';
import type { Suite } from './load-suite.ts';

export type OpenedServer =
  | {
      readonly kind: 'server';
      readonly decideRequest: DecideRequest;
      close(): Promise<void>;
    }
  | { readonly kind: 'mistakes'; readonly report: FileReport };

/** What whole requests are decided with, and the requests whose certificates are read. */
export interface ServerSource {
  readonly source: SourceFile;
  readonly folder: BoundedFolder;
  readonly graph: AuthenticatorGraph;
  readonly environment: TestEnvironment;
  readonly requests: readonly TestRequest[];
}

interface OpenContext {
  readonly ports: Ports;
  readonly io: Pick<Io, 'readText' | 'signal'>;
}

export const openSuiteServer = (
  { source, folder, graph, file, cases }: Suite,
  context: OpenContext,
): Promise<OpenedServer> =>
  openServer(
    {
      source,
      folder,
      graph,
      environment: file.environment,
      requests: cases.flatMap(({ input }) => (input.kind === 'request' ? [input.request] : [])),
    },
    context,
  );

const maxFileBytes = 4 * 1024 * 1024;

/** Opens the server, or returns the first mistake in the file that describes it. */
export const openServer = async (
  { source, folder, graph, environment, requests }: ServerSource,
  { ports, io }: OpenContext,
): Promise<OpenedServer> => {
  const mistake = (at: Span, path: string, problem: string, help?: string): OpenedServer => ({
    kind: 'mistakes',
    report: { source, diagnostics: [diagnosticOf(invalidTest, at, { path, problem, help })] },
  });
  const { flags } = environment;
  const start = flags[0]?.span ?? { start: 0, end: 0 };
  const read = readOfflineFlags(
    flags.map(({ text }) => text),
    graph.targetRelease,
  );
  if (read.kind === 'problems') {
    const [first] = read.problems;
    return mistake(start, 'flags', first?.message ?? 'the flags are not valid', first?.help);
  }
  const objects: JsonObject[] = [];
  for (const { text, span } of environment.objects) {
    const target = resolveBounded(folder, text);
    if (target.kind === 'outside') return mistake(span, 'objects', target.problem);
    const file = await io.readText(target.path, maxFileBytes);
    if (file.kind === 'failure') return mistake(span, 'objects', file.reason);
    const reading = readObjectManifests(target.path, file.text);
    const [problem] = reading.problems;
    if (problem !== undefined)
      return mistake(
        span,
        'objects',
        `${problem.file}:${problem.line}:${problem.column}: ${problem.message}`,
      );
    objects.push(...reading.objects);
  }
  const files = await certificateFiles(requests, folder, io);
  if ('problem' in files) return mistake(files.span, 'certificate', files.problem);
  const needsAuthorities = requests.some(({ certificate }) => certificate?.kind === 'issued');
  const authorities = needsAuthorities ? createTestAuthorities() : undefined;
  const opening = await openOfflineServer({
    graph,
    options: read.options,
    ports,
    objects,
    authorities,
    async readFile(path) {
      const target = resolveBounded(folder, path);
      return target.kind === 'outside'
        ? { kind: 'unreadable', reason: `${path}: ${target.problem}` }
        : readSnapshot(target.path, { maxBytes: maxFileBytes });
    },
  });
  if (opening.kind === 'failed') return mistake(start, 'flags', opening.errors[0] ?? '');
  const { server } = opening;
  return {
    kind: 'server',
    decideRequest({ certificate, headers, ...request }, { token, trace }) {
      const bearer =
        token === undefined ? [] : [{ name: 'Authorization', value: `Bearer ${reveal(token)}` }];
      return server.decide(
        {
          ...request,
          headers: [...bearer, ...headers],
          certificates: certificatesOf(certificate, { files, authorities }),
        },
        { trace, signal: io.signal },
      );
    },
    close: () => server.close(),
  };
};

type CertificateFiles = ReadonlyMap<string, readonly Uint8Array[]>;

/** Reads the certificate chains that requests name, or returns the first problem. */
const certificateFiles = async (
  requests: readonly TestRequest[],
  folder: BoundedFolder,
  io: Pick<Io, 'readText'>,
): Promise<CertificateFiles | { readonly span: Span; readonly problem: string }> => {
  const files = new Map<string, readonly Uint8Array[]>();
  for (const { certificate } of requests) {
    if (certificate?.kind !== 'file' || files.has(certificate.path)) continue;
    const { path, span } = certificate;
    const chain = await readChain({ text: path, span }, folder, io);
    if (typeof chain === 'string') return { span, problem: chain };
    files.set(path, chain);
  }
  return files;
};

const readChain = async (
  { text }: WrittenText,
  folder: BoundedFolder,
  io: Pick<Io, 'readText'>,
): Promise<readonly Uint8Array[] | string> => {
  const target = resolveBounded(folder, text);
  if (target.kind === 'outside') return target.problem;
  const file = await io.readText(target.path, maxFileBytes);
  if (file.kind === 'failure') return file.reason;
  const blocks = pemBlocks(file.text).filter(({ type }) => type === 'CERTIFICATE');
  if (blocks.length === 0 || blocks.length > maxChain)
    return `${target.path} must contain 1 to ${maxChain} PEM certificates`;
  try {
    return blocks.map(({ bytes }) => new X509Certificate(bytes).raw);
  } catch {
    return `${target.path} contains a certificate that cannot be read`;
  }
};

/** The server reads no longer chain. */
const maxChain = 32;

const certificatesOf = (
  certificate: TestCertificate | undefined,
  {
    files,
    authorities,
  }: { readonly files: CertificateFiles; readonly authorities: TestAuthorities | undefined },
): PeerCertificates | undefined => {
  if (certificate === undefined) return undefined;
  if (certificate.kind === 'issued') return authorities?.certificate(certificate);
  const chain = files.get(certificate.path);
  return chain && { chain };
};
