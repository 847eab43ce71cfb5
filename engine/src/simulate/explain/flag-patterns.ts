/** Message patterns for errors in flags, which a server reports before it starts. */
import type { StagePattern } from './module-pattern.ts';

export const flagPatterns: readonly StagePattern[] = [
  {
    name: 'flag-value',
    pattern:
      /^invalid argument "(?<value>.*)" for "(?:-\w, )?--(?<flag>[\w-]+)" flag: (?<why>.*)$/s,
    meaning: '--{flag} does not take the value {value}: {why}.',
    fix: 'Durations have a unit (2m, 30s), truth values are true or false, pairs are name=value.',
  },
  {
    name: 'flag-unknown',
    pattern: /^unknown flag: --(?<flag>\S+)$/,
    meaning: 'There is no flag --{flag}, or no longer.',
    fix: 'Compare the spelling with --help. Flags of kube-apiserver that have nothing to do with authentication are not taken here.',
  },
  {
    name: 'flag-unknown',
    pattern: /^unknown shorthand flag: '(?<letter>.*)' in (?<argument>.*)$/s,
    meaning: '{argument} is no flag.',
    fix: 'Names of more than one letter have two dashes.',
  },
  {
    name: 'flag-without-value',
    pattern: /^flag needs an argument: (?:--(?<flag>\S+)|'.*' in .*)$/s,
    meaning: 'A flag stands at the end, without its value.',
    fix: 'Write --flag=value.',
  },
  {
    name: 'flag-syntax',
    pattern: /^bad flag syntax: (?<argument>.*)$/s,
    meaning: '{argument} cannot be read as a flag.',
    fix: 'Write --name=value.',
  },
  {
    name: 'file-missing',
    pattern: /^(?:open|stat) (?<file>.*): no such file or directory$/s,
    meaning: 'There is no file {file}, which a flag or a file names.',
    fix: 'Look at the path as the server sees it: in a container, is it mounted there? Relative paths of a kubeconfig start at its own folder.',
  },
  {
    name: 'file-unreadable',
    pattern:
      /^(?:open|read|stat) (?<file>.*): (?<why>permission denied|is a directory|input\/output error)$/s,
    meaning: 'The server may not, or cannot, read {file}: {why}.',
    fix: 'Look at its owner and mode as the user that the server runs as.',
  },
  {
    name: 'serving-certificate-incomplete',
    pattern: /^missing filename for serving cert$/,
    flags: ['tls-cert-file', 'tls-private-key-file'],
    meaning:
      'The serving certificate was given without its key, or the key without its certificate.',
    fix: 'Give both flags, or neither.',
  },
  {
    name: 'port-range',
    pattern: /^--secure-port (?<port>\S+) must be between 1 and 65535, inclusive\. .*$/,
    flags: ['secure-port'],
    meaning: '{port} is no port that can be listened on.',
    fix: 'Write a number from 1 to 65535.',
  },
  {
    name: 'issuer-overlaps-accounts',
    pattern:
      /^issuer\.url: Invalid value: "(?<issuer>.*?)": URL must not overlap with disallowed issuers: \[(?<accounts>.*)\]$/s,
    flags: ['oidc-issuer-url', 'service-account-issuer'],
    meaning: 'The issuer {issuer} is the server’s own issuer of service account tokens.',
    fix: 'Use another issuer for people, or another --service-account-issuer.',
  },
  {
    name: 'gate-for-file',
    pattern: /^set --feature-gates=(?<gate>\w+)=true to use authentication-config file$/,
    flags: ['feature-gates', 'authentication-config'],
    meaning: 'The configuration file is turned off in this server by its feature gate.',
    fix: 'Remove {gate}=false from --feature-gates.',
  },
  {
    name: 'gate-needed',
    pattern: /^--(?<flag>[\w-]+) requires the "(?<gate>\w+)" feature to be enabled$/,
    flags: ['feature-gates'],
    meaning: '--{flag} works with the feature gate {gate} alone, which is off.',
    fix: 'Turn it on in --feature-gates, or leave the flag out.',
  },
  {
    name: 'gate-alone',
    pattern:
      /^the "(?<gate>\w+)" feature gate can only be enabled if the "(?<other>\w+)" feature gate is also enabled$/,
    flags: ['feature-gates'],
    meaning: '{gate} works together with the feature gate {other} alone, which is off.',
    fix: 'Turn both on in --feature-gates, or both off.',
  },
  {
    name: 'runtime-config-unreadable',
    pattern:
      /^(?:invalid (?:key|runtime-config) with only api\/all=false|runtime-config invalid key (?<key>.*)|invalid value (?<pair>api\/\w+=.*)|invalid value of (?<of>[^:=]*\/[^:=]*): .*|group version (?<version>.*) that has not been registered|invalid key (?<resource>\S+): group\/version\/resource and resource is always lowercase plural, not .*)$/s,
    flags: ['runtime-config'],
    meaning: 'The value of --runtime-config names no version of the API, or no true or false.',
    fix: 'Write GROUP/VERSION=true, as authentication.k8s.io/v1beta1=true.',
  },
  {
    name: 'runtime-config-served',
    pattern: /^--runtime-config (?<key>\S+)=false: this API cannot be disabled$/,
    flags: ['runtime-config'],
    meaning: '--runtime-config takes {key} away, which this server always serves.',
    fix: 'Drop it, and say with roles who may ask.',
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
    meaning: 'The value of --feature-gates cannot be read.',
    fix: 'Write Name=true,Other=false.',
  },
  {
    name: 'anonymous-always-allow',
    pattern: /^AnonymousAuth is not allowed with the AlwaysAllow authorizer\. .*$/s,
    flags: ['anonymous-auth', 'authorization-mode'],
    meaning:
      'With AlwaysAllow everybody may do everything, so the server turned anonymous requests off.',
    fix: 'Use another --authorization-mode.',
  },
  {
    name: 'store-settings',
    pattern: /^--(?<flag>(?:store|etcd|rbac)-[\w-]+)(?: and --[\w-]+)?:? (?<why>must .*|".*)$/s,
    meaning: 'What --{flag} says cannot be: {why}.',
    fix: 'docs/store.md has the flags of each store.',
  },
  {
    name: 'roles-unreadable',
    pattern: /^failed to read roles from file "(?<file>.*?)": (?<why>.*)$/s,
    flags: ['rbac-file'],
    meaning: 'The roles of {file} cannot be read: {why}.',
    fix: 'It holds ClusterRoles, Roles and their bindings, as YAML documents or JSON.',
  },
  {
    name: 'authorization-mode-refused',
    pattern:
      /^authorization-mode (?<mode>.*?) ?(?<why>is not a valid mode|is not supported|has mode specified more than once|must include RBAC)$/s,
    flags: ['authorization-mode'],
    meaning: 'The server cannot use the authorization mode {mode}: it {why}.',
    fix: 'Write --authorization-mode=RBAC, or leave the flag out.',
  },
  {
    name: 'authorization-mode-missing',
    pattern: /^at least one authorization-mode must be passed$/,
    flags: ['authorization-mode'],
    meaning: 'The server was started without an authorization mode.',
    fix: 'Write --authorization-mode=RBAC, or leave the flag out.',
  },
];
