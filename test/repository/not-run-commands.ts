/**
 * The commands of pages that test/repository/command-blocks.test.ts does not run, with the reason. A suite that runs
 * such a command with other names of files or hosts is named.
 */

export interface NotRun {
  readonly command: RegExp;
  readonly reason: string;
}

export const notRunCommands: readonly NotRun[] = [
  {
    command: /^npm ci && npm start$/,
    reason: 'runs until it is stopped; test/heavy/demo-process.test.ts',
  },
  { command: /^npm ci(?: && npm test)?$/, reason: '.ci/run runs it' },
  { command: /^npm run (?:build|package)(?: && npm run package)?$/, reason: '.ci/run runs it' },
  { command: /^npm run image -- --check$/, reason: 'test/system/image.test.ts runs it' },
  {
    command: /^(?:bench\/setup\.sh lsp && )?npm run (?:package && npm run )?bench:lsp/,
    reason: 'needs other language servers, which bench/setup.sh downloads',
  },
  {
    command: /^npm (?:pack|install --global) /,
    reason: 'test/heavy/package.test.ts installs the package in an empty folder',
  },
  {
    command: /^npm install @opentelemetry\//,
    reason: 'the packages are development dependencies; test/server/tracing uses them',
  },
  {
    command: /^authgraph fleet .*--metrics https:/,
    reason: 'needs a running server; test/heavy/fleet-servers.test.ts',
  },
  {
    command: /^authgraph replay /,
    reason:
      'needs a log of a server; test/cli/replay.test.ts, and the console block of docs/replay.md',
  },
  {
    command: /^authgraph diff .*--corpus /,
    reason: 'test/cli/diff-corpus.test.ts runs it with a file of claim sets',
  },
  { command: /^npm run release /, reason: 'test/system/release.test.ts runs it' },
  {
    command: /^(?:tar -xf deploy\/release|authgraph-0\.1\.0-|sha256sum |gh )/,
    reason: 'uses the files of a release; test/system/release.test.ts checks them',
  },
  {
    command: /^authgraph (?:test|mutate)\b/,
    reason: 'reads folders in worker processes; test/cli/test.test.ts and mutate.test.ts',
  },
  { command: /^code /, reason: 'npm run test:e2e installs the extension' },
  { command: /^export PATH=/, reason: 'changes the shell of the reader' },
  { command: /^source <\(/, reason: 'test/heavy/completion.test.ts runs it in each shell' },
  { command: /^(?:docker|skopeo) /, reason: 'needs a container engine or a registry' },
  { command: /^helm /, reason: 'test/system/chart.test.ts runs helm with the chart' },
  { command: /^kustomize /, reason: 'kustomize is another program' },
  {
    command: /^kubectl /,
    reason: 'needs a cluster; test/heavy/kubectl.test.ts and test/system run kubectl',
  },
  { command: /^(?:curl|nginx) /, reason: 'needs a running server; test/heavy and test/server' },
  { command: /^kube-apiserver /, reason: 'test/system/webhook.test.ts runs it' },
  {
    command: /^(?:crictl|cp|sh|install|kubeadm|ssh|systemctl|systemd-sysusers|chgrp)(?: |$)/,
    reason: 'runs on a node of a cluster',
  },
  { command: /^git /, reason: 'needs the repository of the reader' },
  { command: /^(?:cd|mkdir|grep|tail|head|base64|printf) ?/, reason: 'a program of the system' },
  { command: /^authgraph explain "\$\(crictl /, reason: 'runs on a node of a cluster' },
  {
    command: /^chmod 600 (?:samples\/static-token\/)?tokens\.csv$/,
    reason: 'test/heavy/readme-server.test.ts runs it',
  },
  { command: /^authgraph serve /, reason: 'runs until it is stopped; test/cli/serve.test.ts' },
  { command: /^authgraph lsp /, reason: 'runs until it is stopped; test/cli/lsp.test.ts' },
  { command: /^authgraph doctor /, reason: 'contacts an issuer; test/cli/doctor.test.ts' },
  { command: /^authgraph auth whoami/, reason: 'needs a server; test/cli/auth-whoami.test.ts' },
  { command: /^authgraph get-token /, reason: 'needs an issuer; test/cli/get-token.test.ts' },
  {
    command: /^authgraph create[- ]token /,
    reason: 'needs a server; test/cli/create-token.test.ts',
  },
  {
    command: /^authgraph config set-credentials /,
    reason: 'changes the kubeconfig of the reader; test/cli/set-credentials.test.ts',
  },
  {
    command: /^authgraph whoami$/,
    reason: 'behind kubectl, it needs a server; test/heavy/kubectl-plugin.test.ts',
  },
  {
    command: /^authgraph whoami .*--token-file /,
    reason: 'needs a token of your issuer; test/cli/whoami.test.ts',
  },
];
