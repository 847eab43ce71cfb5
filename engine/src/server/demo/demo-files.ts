/**
 * The files that the demo hands out: tokens, the certificate to trust, a body to send, a kubeconfig.
 * They stand in a private folder of their own and go when the demo ends.
 */
import { chmodSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface DemoFilesContent {
  readonly url: string;
  /** PEM. */
  readonly certificateAuthority: string;
  /** Suffix of the API groups in the body that is sent. */
  readonly apiDomain: string;
  readonly names: readonly string[];
}

export interface DemoFiles {
  readonly folder: string;
  /** Replaces the token of a person in one step: a command may be reading it. */
  writeToken(name: string, token: string): void;
  remove(): void;
}

/** Where the parts of a handout stand; commands and files are made from the same names. */
export const demoFilePaths = (folder: string) => ({
  certificateAuthority: join(folder, 'ca.pem'),
  review: join(folder, 'review.json'),
  kubeconfig: join(folder, 'kubeconfig'),
  token: (name: string) => join(folder, `${name}.token`),
  /** The header field with the token: as an argument of a command every process could read it. */
  authorization: (name: string) => join(folder, `${name}.authorization`),
});

/** Makes the folder and everything in it but the tokens. */
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

/** JSON is YAML, and needs no care with quotes. */
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
