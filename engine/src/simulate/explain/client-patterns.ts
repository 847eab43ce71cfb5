/** Message patterns of kubectl and other clients: errors before a server has decided the request. */
import type { StagePattern } from './module-pattern.ts';

export const clientPatterns: readonly StagePattern[] = [
  {
    name: 'client-server-untrusted',
    pattern:
      /^(?:Unable to connect to the server|couldn't get current server API group list: Get "[^"]*"): (?:tls: failed to verify certificate: )?x509: (?<why>.*)$/s,
    meaning:
      'The client cannot verify the certificate of the server: {why}. It sent no request and no credential.',
    fix: 'Set certificate-authority in the kubeconfig to the CA of the serving certificate, which --tls-cert-file names. The host in server must be one of the names in that certificate.',
  },
  {
    name: 'client-credential-plugin-missing',
    pattern:
      /^Unable to connect to the server: getting credentials: exec: executable (?<command>\S+) not found(?:\n.*)?$/s,
    meaning:
      'The kubeconfig gets its credential from the program {command}, which is not installed.',
    fix: 'Install {command} in a directory of PATH, or change users[].user.exec of the kubeconfig.',
  },
  {
    name: 'client-credential-plugin-failed',
    pattern:
      /^Unable to connect to the server: getting credentials: exec: executable (?<command>\S+) failed with exit code (?<code>\d+)$/,
    meaning:
      'The program {command}, which returns the credential of the kubeconfig, failed with exit code {code}.',
    fix: 'Run it with the arguments of users[].user.exec in the kubeconfig; its own output gives the reason.',
  },
  {
    name: 'client-credential-plugin-version',
    pattern:
      /^Unable to connect to the server: getting credentials: exec plugin is configured to use API version (?<wanted>[^\s,]+), plugin returned version (?<got>\S+)$/,
    meaning:
      'The program that returns the credential of the kubeconfig returned an ExecCredential of version {got} instead of {wanted}.',
    fix: 'Set apiVersion of users[].user.exec in the kubeconfig to the version that the program supports, usually client.authentication.k8s.io/v1.',
  },
  {
    name: 'client-credential-plugin-version',
    pattern: /^exec plugin: invalid apiVersion "(?<got>.*)"$/s,
    meaning:
      'users[].user.exec of the kubeconfig has apiVersion {got}, which this client does not support.',
    fix: 'Set it to client.authentication.k8s.io/v1, and update the program if it does not support that version.',
  },
  {
    name: 'client-credential-plugin-failed',
    pattern: /^Unable to connect to the server: getting credentials: (?<why>.*)$/s,
    meaning: 'The client could not get a credential from the program in the kubeconfig: {why}.',
    fix: 'Run the command of users[].user.exec in the kubeconfig: it must print an ExecCredential with status.token, or with a client certificate and key.',
  },
  {
    name: 'client-auth-provider-removed',
    pattern: /^no Auth Provider found for name "(?<provider>.*)"$/s,
    meaning:
      'The kubeconfig uses the authentication provider {provider}, which this client does not contain. The providers of cloud vendors were removed in 1.26.',
    fix: 'Replace users[].user.auth-provider by users[].user.exec with the credential plugin of the vendor.',
  },
  {
    name: 'client-server-unreachable',
    pattern:
      /^The connection to the server (?<server>\S+) was refused - did you specify the right host or port\?$/,
    meaning:
      'Nothing accepts connections at {server}. Without a kubeconfig, kubectl uses localhost:8080.',
    fix: 'Check KUBECONFIG and the current context, and whether the server runs.',
  },
  {
    name: 'client-server-unreachable',
    pattern:
      /^(?:Unable to connect to the server|couldn't get current server API group list: Get "[^"]*"): (?<why>.*)$/s,
    meaning: 'The client could not reach the server: {why}. Authentication is not the cause.',
    fix: 'Check the address of the server in the kubeconfig, the network, and whether the server runs.',
  },
  {
    name: 'client-plain-http',
    pattern:
      /^(?:Unable to list "[^"]*": )?the server rejected our request for an unknown reason \([^()]*\)$/,
    meaning:
      'The server returned 400 without a Status. Most often the client sent HTTP to a port that serves HTTPS.',
    fix: 'Let the server in the kubeconfig start with https://.',
  },
  {
    name: 'client-configuration-invalid',
    pattern: /^Error in configuration: ?(?<why>.*)$/s,
    meaning: 'The kubeconfig or the flags of the client cannot be used: {why}.',
    fix: 'Check the names and paths in the kubeconfig with kubectl config view; relative paths are relative to its directory.',
  },
  {
    name: 'impersonation-without-user',
    pattern: /^requesting uid, groups or user-extra for .* without impersonating a user$/s,
    meaning: 'The client has flags for the groups, UID or extra to impersonate, but no username.',
    fix: 'Use --as together with --as-group, --as-uid and --as-user-extra.',
  },
];
