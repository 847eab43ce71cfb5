/** Message patterns for errors in flags, which a server reports before it starts. */
import type { StagePattern } from './module-pattern.ts';

export const flagPatterns: readonly StagePattern[] = [
  {
    name: 'flag-value',
    pattern:
      /^invalid argument "(?<value>.*)" for "(?:-\w, )?--(?<flag>[\w-]+)" flag: (?<why>.*)$/s,
    meaning: '--{flag} does not accept the value {value}: {why}.',
    fix: 'Durations have a unit (2m, 30s), booleans are true or false, pairs are name=value.',
  },
  {
    name: 'flag-unknown',
    pattern: /^unknown flag: --(?<flag>\S+)$/,
    meaning: 'Unknown or removed flag --{flag}.',
    fix: 'Compare the spelling with --help. Flags of kube-apiserver that do not concern authentication are not supported.',
  },
  {
    name: 'flag-unknown',
    pattern: /^unknown shorthand flag: '(?<letter>.*)' in (?<argument>.*)$/s,
    meaning: '{argument} is not a flag.',
    fix: 'Flag names of more than one letter start with two dashes.',
  },
  {
    name: 'flag-without-value',
    pattern: /^flag needs an argument: (?:--(?<flag>\S+)|'.*' in .*)$/s,
    meaning: 'The last flag has no value.',
    fix: 'Write --flag=value.',
  },
  {
    name: 'flag-syntax',
    pattern: /^bad flag syntax: (?<argument>.*)$/s,
    meaning: '{argument} cannot be parsed as a flag.',
    fix: 'Write --name=value.',
  },
  {
    name: 'file-missing',
    pattern: /^(?:open|stat) (?<file>.*): no such file or directory$/s,
    meaning: 'The file {file}, to which a flag or another file refers, does not exist.',
    fix: 'Check the path in the environment of the server: in a container, the file must be mounted there. Relative paths in a kubeconfig are relative to its directory.',
  },
  {
    name: 'file-unreadable',
    pattern:
      /^(?:open|read|stat) (?<file>.*): (?<why>permission denied|is a directory|input\/output error)$/s,
    meaning: 'The server cannot read {file}: {why}.',
    fix: 'Check its owner and mode; the user that the server runs as must be able to read it.',
  },
  {
    name: 'serving-certificate-incomplete',
    pattern: /^missing filename for serving cert$/,
    flags: ['tls-cert-file', 'tls-private-key-file'],
    meaning: 'The serving certificate is set without its key, or the key without its certificate.',
    fix: 'Set both flags, or neither.',
  },
  {
    name: 'port-range',
    pattern: /^--secure-port (?<port>\S+) must be between 1 and 65535, inclusive\. .*$/,
    flags: ['secure-port'],
    meaning: '{port} is not a valid port.',
    fix: 'Write a number from 1 to 65535.',
  },
  {
    name: 'issuer-overlaps-accounts',
    pattern:
      /^issuer\.url: Invalid value: "(?<issuer>.*?)": URL must not overlap with disallowed issuers: \[(?<accounts>.*)\]$/s,
    flags: ['oidc-issuer-url', 'service-account-issuer'],
    meaning: "The issuer {issuer} is the server's own issuer of service account tokens.",
    fix: 'Use another issuer for users, or another --service-account-issuer.',
  },
  {
    name: 'gate-for-file',
    pattern: /^set --feature-gates=(?<gate>\w+)=true to use authentication-config file$/,
    flags: ['feature-gates', 'authentication-config'],
    meaning: 'The configuration file is disabled by its feature gate.',
    fix: 'Remove {gate}=false from --feature-gates.',
  },
  {
    name: 'gate-needed',
    pattern: /^--(?<flag>[\w-]+) requires the "(?<gate>\w+)" feature to be enabled$/,
    flags: ['feature-gates'],
    meaning: '--{flag} requires the feature gate {gate}, which is disabled.',
    fix: 'Enable it with --feature-gates, or remove the flag.',
  },
  {
    name: 'gate-alone',
    pattern:
      /^the "(?<gate>\w+)" feature gate can only be enabled if the "(?<other>\w+)" feature gate is also enabled$/,
    flags: ['feature-gates'],
    meaning: '{gate} requires the feature gate {other}, which is disabled.',
    fix: 'Enable both with --feature-gates, or disable both.',
  },
  {
    name: 'runtime-config-unreadable',
    pattern:
      /^(?:invalid (?:key|runtime-config) with only api\/all=false|runtime-config invalid key (?<key>.*)|invalid value (?<pair>api\/\w+=.*)|invalid value of (?<of>[^:=]*\/[^:=]*): .*|group version (?<version>.*) that has not been registered|invalid key (?<resource>\S+): group\/version\/resource and resource is always lowercase plural, not .*)$/s,
    flags: ['runtime-config'],
    meaning:
      '--runtime-config contains an unknown API version, or a value that is not true or false.',
    fix: 'Write GROUP/VERSION=true, such as authentication.k8s.io/v1beta1=true.',
  },
  {
    name: 'runtime-config-served',
    pattern: /^--runtime-config (?<key>\S+)=false: this API cannot be disabled$/,
    flags: ['runtime-config'],
    meaning: '--runtime-config disables {key}, which cannot be disabled.',
    fix: 'Remove it from --runtime-config; restrict access with RBAC.',
  },
  {
    name: 'gate-locked',
    pattern:
      /^cannot set feature gate (?<gate>\w+) to (?<value>true|false), feature is (?<why>locked to .*|PreAlpha .*)$/,
    flags: ['feature-gates'],
    meaning: 'In this release {gate} cannot be set to {value}: it is {why}.',
    fix: 'Remove it from --feature-gates.',
  },
  {
    name: 'gate-unreadable',
    pattern:
      /^(?:missing bool value for (?<name>.*)|invalid value of (?<pair>.*), err: strconv\.ParseBool: .*|component not registered: (?<component>.*)|set kube feature gates with default empty prefix .*)$/s,
    flags: ['feature-gates'],
    meaning: 'The value of --feature-gates cannot be parsed.',
    fix: 'Write Name=true,Other=false.',
  },
  {
    name: 'anonymous-always-allow',
    pattern: /^AnonymousAuth is not allowed with the AlwaysAllow authorizer\. .*$/s,
    flags: ['anonymous-auth', 'authorization-mode'],
    meaning: 'AlwaysAllow authorizes every request, so the server disabled anonymous requests.',
    fix: 'Use another --authorization-mode.',
  },
  {
    name: 'store-settings',
    pattern: /^--(?<flag>(?:store|etcd|rbac)-[\w-]+)(?: and --[\w-]+)?:? (?<why>must .*|".*)$/s,
    meaning: 'Invalid combination or value of --{flag}: {why}.',
    fix: 'See docs/store.md for the flags of each store.',
  },
  {
    name: 'roles-unreadable',
    pattern: /^failed to read roles from file "(?<file>.*?)": (?<why>.*)$/s,
    flags: ['rbac-file'],
    meaning: 'The roles of {file} cannot be read: {why}.',
    fix: 'The file must contain ClusterRoles, Roles and their bindings, as YAML documents or JSON.',
  },
  {
    name: 'authorization-mode-refused',
    pattern:
      /^authorization-mode (?<mode>.*?) ?(?<why>is not a valid mode|is not supported|has mode specified more than once|must include RBAC)$/s,
    flags: ['authorization-mode'],
    meaning: 'The server cannot use the authorization mode {mode}: it {why}.',
    fix: 'Set --authorization-mode=RBAC, or remove the flag.',
  },
  {
    name: 'authorization-mode-missing',
    pattern: /^at least one authorization-mode must be passed$/,
    flags: ['authorization-mode'],
    meaning: 'The server was started without an authorization mode.',
    fix: 'Set --authorization-mode=RBAC, or remove the flag.',
  },
  {
    name: 'account-flags-incomplete',
    pattern:
      /^--service-account-signing-key-file, --service-account-issuer, and --api-audiences should be specified together$/,
    flags: ['service-account-signing-key-file', 'service-account-issuer', 'api-audiences'],
    meaning: 'One of the three flags is missing, or --service-account-issuer is empty.',
    fix: 'Set --service-account-issuer and --service-account-signing-key-file. --api-audiences is the issuer by default.',
  },
  {
    name: 'no-authenticators',
    pattern: /^no authenticator is configured: every credential would be rejected$/,
    flags: ['authentication-config'],
    meaning:
      'AuthGraph was started without an issuer, a certificate authority, a token file or another authenticator.',
    fix: 'Set --authentication-config, --oidc-issuer-url with --oidc-client-id, --client-ca-file, or another flag that adds an authenticator.',
  },
  {
    name: 'store-unreachable',
    pattern: /^error creating storage factory: (?<why>.*)$/s,
    flags: ['etcd-servers'],
    meaning:
      'kube-apiserver cannot reach etcd: {why}. Its authentication flags and file are valid.',
    fix: 'Check that etcd runs at the addresses of --etcd-servers, and the certificates in --etcd-cafile and --etcd-certfile.',
  },
];
