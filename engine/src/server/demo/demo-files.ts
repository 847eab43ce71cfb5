/**
 * The files of the demo: tokens, the certificate to trust, a request body and a kubeconfig. They
 * are in a private directory that is deleted when the demo ends.
 */
import { chmodSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface DemoFilesContent {
  readonly url: string;
  /** PEM. */
  readonly certificateAuthority: string;
  /** The suffix of the API group in the request body. */
  readonly apiDomain: string;
  readonly names: readonly string[];
}

export interface DemoFiles {
  readonly folder: string;
  /** Replaces the token of a person atomically, since a command may be reading it. */
  writeToken(name: string, token: string): void;
  remove(): void;
}

/** The paths of the demo's files, used by the commands and by the code that writes them. */
export const demoFilePaths = (folder: string) => ({
  certificateAuthority: join(folder, 'ca.pem'),
  review: join(folder, 'review.json'),
  kubeconfig: join(folder, 'kubeconfig'),
  token: (name: string) => join(folder, `${name}.token`),
  /** The Authorization header. As a command-line argument, every process could read the token. */
  authorization: (name: string) => join(folder, `${name}.authorization`),
});

/** Creates the directory and all files except the tokens. */
export const createDemoFiles = (content: DemoFilesContent): DemoFiles => {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'authgraph-'));
  chmodSync(folder, 0o700);
  const paths = demoFilePaths(folder);
  const write = (path: string, text: string) => writeFileSync(path, text, { mode: 0o600 });
  const replace = (path: string, text: string) => {
    write(`${path}.new`, text);
    renameSync(`${path}.new`, path);
  };
  write(paths.certificateAuthority, content.certificateAuthority);
  write(paths.review, `${JSON.stringify(reviewOf(content.apiDomain))}\n`);
  write(paths.kubeconfig, kubeconfigOf(content, paths));
  return {
    folder,
    writeToken(name, token) {
      replace(paths.token(name), token);
      replace(paths.authorization(name), `Authorization: Bearer ${token}\n`);
    },
    remove() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

const reviewOf = (apiDomain: string) => ({
  apiVersion: `authentication.${apiDomain}/v1`,
  kind: 'SelfSubjectReview',
});

/** JSON is valid YAML and needs no quoting rules. */
const kubeconfigOf = (
  { url, names }: DemoFilesContent,
  paths: ReturnType<typeof demoFilePaths>,
): string => {
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name: 'demo',
        cluster: { server: url, 'certificate-authority': paths.certificateAuthority },
      },
    ],
    users: names.map((name) => ({ name, user: { tokenFile: paths.token(name) } })),
    contexts: names.map((name) => ({ name, context: { cluster: 'demo', user: name } })),
    'current-context': names[0] ?? '',
  };
  return `${JSON.stringify(config, undefined, 2)}\n`;
};
