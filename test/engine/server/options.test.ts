import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readServeOptions } from '../../../engine/src/server/options.ts';
import { flagsOfOtherModules, serveFlags } from '../../../engine/src/server/serve-flags.ts';
import { cases, type RecordedCase } from '../../support/cases.ts';

interface ModuleCase {
  readonly title: string;
  readonly config: { readonly args?: readonly string[] };
  readonly expect: Record<string, unknown>;
}

const moduleCases = (name: string): readonly (RecordedCase & ModuleCase)[] =>
  cases(`conformance/modules/${name}.jsonl`) as readonly (RecordedCase & ModuleCase)[];

const ownNames = new Set(serveFlags.map(({ name }) => name));
const flagName = (arg: string): string => arg.replace(/^--/, '').replace(/=.*$/s, '');
/** The recorded server always needs service account flags; here their module is not there yet. */
const ownArgs = (args: readonly string[]): readonly string[] =>
  args.filter((arg) => !flagName(arg).startsWith('service-account-'));
const concernsUs = ({ config }: ModuleCase): boolean =>
  ownArgs(config.args ?? []).every((arg) => !flagsOfOtherModules.includes(flagName(arg)));
const aboutServiceAccounts = ({ expect: recorded }: ModuleCase): boolean =>
  JSON.stringify(recorded.validationErrors ?? '').includes('service-account-') ||
  JSON.stringify(recorded.configError ?? '').includes('.p');

const problemsOf = (args: readonly string[]): readonly string[] => {
  const reading = readServeOptions(args);
  return reading.kind === 'problems' ? reading.problems.map(({ message }) => message) : [];
};

describe('recorded starts of the real server', () => {
  const chosen = moduleCases('options').filter(
    (one) => concernsUs(one) && !aboutServiceAccounts(one),
  );
  test('most of the table concerns these flags', () => {
    expect(chosen.length).toBeGreaterThanOrEqual(20);
  });
  test.each(chosen.map((one) => [`${one.id} ${one.title}`, one] as const))('%s', (_, one) => {
    const recorded = one.expect;
    const reading = readServeOptions(ownArgs(one.config.args ?? []));
    if (typeof recorded.flagError === 'string') {
      expect(reading).toMatchObject({
        kind: 'problems',
        problems: [{ message: recorded.flagError }],
      });
      return;
    }
    const errors = recorded.validationErrors;
    if (Array.isArray(errors) && errors.length > 0) {
      expect(reading.kind === 'problems' && reading.problems.map((p) => p.message)).toEqual(errors);
      return;
    }
    expect(reading.kind).toBe('options');
    if (reading.kind !== 'options') return;
    const audiences = recorded.apiAudiences;
    if (one.config.args?.some((arg) => arg.startsWith('--api-audiences')))
      expect(reading.options.apiAudiences).toEqual(audiences);
    if (reading.options.authenticationConfig === undefined && 'jwtCount' in recorded)
      expect(reading.options.oidc === undefined ? 0 : 1).toBe(recorded.jwtCount);
  });
});

test('names, types and defaults are those of the real server', () => {
  const recorded = moduleCases('flags')[0]?.expect.flags as readonly {
    readonly name: string;
    readonly type: string;
    readonly default: string;
  }[];
  const shared = recorded.filter(({ name }) => ownNames.has(name));
  expect(shared.length).toBeGreaterThanOrEqual(12);
  expect(
    serveFlags
      .filter(({ name }) => recorded.some((row) => row.name === name))
      .map(({ name, type, default: value }) => ({ default: value, name, type }))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
  ).toEqual(shared);
  expect(recorded.map(({ name }) => name).filter((name) => !ownNames.has(name))).toEqual(
    flagsOfOtherModules,
  );
});

describe('spellings', () => {
  const read = (...args: readonly string[]) => {
    const reading = readServeOptions(args);
    if (reading.kind !== 'options') throw new Error(JSON.stringify(reading));
    return reading.options;
  };
  test('a value follows an equals sign or a space; underscores are dashes', () => {
    expect(read('--authentication-config=a.yaml').authenticationConfig).toBe('a.yaml');
    expect(read('--authentication-config', 'a.yaml').authenticationConfig).toBe('a.yaml');
    expect(read('--authentication_config=a=b').authenticationConfig).toBe('a=b');
  });
  test('a bare boolean is true, another needs the equals sign', () => {
    expect(read().anonymousAuth).toBeUndefined();
    expect(read('--anonymous-auth').anonymousAuth).toBe(true);
    expect(read('--anonymous-auth=F').anonymousAuth).toBe(false);
    expect(problemsOf(['--anonymous-auth', 'false'])).toEqual([
      '"serve" does not take any arguments, got ["false"]',
    ]);
  });
  test('lists grow with repetition and split like CSV', () => {
    expect(
      read('--api-audiences=a,"b,c"', '--api-audiences', 'd', '--api-audiences=').apiAudiences,
    ).toEqual(['a', 'b,c', 'd']);
  });
  test('required claims are pairs, the first equals sign splits, spaces go', () => {
    const { oidc } = read(
      '--oidc-issuer-url=https://i.example',
      '--oidc-client-id=app',
      '--oidc-required-claim= hd = a=b ',
      '--oidc-required-claim=x=1,y=2',
    );
    expect([...(oidc?.requiredClaims ?? [])]).toEqual([
      ['hd', 'a=b'],
      ['x', '1,y=2'],
    ]);
  });
  test('reviewers name a user or a group, colons included', () => {
    expect(read('--token-review-open=group:system:authenticated,user:a').tokenReviewOpen).toEqual([
      { kind: 'group', name: 'system:authenticated' },
      { kind: 'user', name: 'a' },
    ]);
  });
  test('numbers, durations and addresses', () => {
    const options = read('--secure-port=0x1F90', '--shutdown-grace=1m1.5s', '--bind-address=::1');
    expect(options).toMatchObject({
      securePort: 8080,
      shutdownGraceMs: 61_500,
      bindAddress: '::1',
    });
  });
  test.each(['0.0.0.0', '255.255.255.255', '::', '::ffff:1.2.3.4', 'fe80::1'])(
    'the address %s',
    (address) => {
      expect(read(`--bind-address=${address}`).bindAddress).toBe(address);
    },
  );
  test('help wins over problems', () => {
    expect(readServeOptions(['--nope', '--help']).kind).toBe('help');
    expect(readServeOptions(['-h']).kind).toBe('help');
  });
});

test.each<[readonly string[], readonly string[]]>([
  [['--nope'], ['unknown flag: --nope']],
  [['--client-ca-file', 'ca.pem'], ['unknown flag: --client-ca-file']],
  [['---x'], ['bad flag syntax: ---x']],
  [['--=x'], ['bad flag syntax: --=x']],
  [['-v'], ["unknown shorthand flag: 'v' in -v"]],
  [['--oidc-client-id'], ['flag needs an argument: --oidc-client-id']],
  [
    ['--secure-port=https'],
    [
      'invalid argument "https" for "--secure-port" flag: strconv.ParseInt: parsing "https": invalid syntax',
    ],
  ],
  [
    ['--secure-port=99999999999999999999'],
    [
      'invalid argument "99999999999999999999" for "--secure-port" flag: strconv.ParseInt: parsing "99999999999999999999": value out of range',
    ],
  ],
  [
    ['--secure-port=0'],
    ['--secure-port 0 must be between 1 and 65535, inclusive. It cannot be turned off with 0'],
  ],
  [
    ['--bind-address=localhost'],
    ['invalid argument "localhost" for "--bind-address" flag: failed to parse IP: "localhost"'],
  ],
  ...['1.2.3', '1.2.3.4.5', '1.2.3.256', '01.2.3.4', '::1%eth0', '[::1]', ':::', '1.2.3.4.'].map(
    (address): [readonly string[], readonly string[]] => [
      [`--bind-address=${address}`],
      [`invalid argument "${address}" for "--bind-address" flag: failed to parse IP: "${address}"`],
    ],
  ),
  [
    ['--shutdown-grace=2'],
    ['invalid argument "2" for "--shutdown-grace" flag: time: missing unit in duration "2"'],
  ],
  [
    ['--shutdown-grace=1d'],
    ['invalid argument "1d" for "--shutdown-grace" flag: time: unknown unit "d" in duration "1d"'],
  ],
  [
    ['--api-audiences=a"b'],
    [
      'invalid argument "a\\"b" for "--api-audiences" flag: parse error on line 1, column 2: bare " in non-quoted-field',
    ],
  ],
  [['--tls-cert-file=a.crt'], ['missing filename for serving cert']],
  [
    [
      '--authentication-config=a.yaml',
      '--oidc-client-id=x',
      '--secure-port=70000',
      '--feature-gates=Nope=true',
    ],
    [
      'unrecognized feature gate: Nope',
      '--secure-port 70000 must be between 1 and 65535, inclusive. It cannot be turned off with 0',
      'authentication-config file and oidc-* flags are mutually exclusive',
    ],
  ],
  [
    ['--nope=1', '--anonymous-auth=maybe', '--neither', 'x', '--secure-port=1'],
    [
      'unknown flag: --nope',
      'invalid argument "maybe" for "--anonymous-auth" flag: strconv.ParseBool: parsing "maybe": invalid syntax',
      'unknown flag: --neither',
    ],
  ],
  [
    ['--target-version=1.20'],
    ['invalid argument "1.20" for "--target-version" flag: must be 1.30 to 1.37'],
  ],
  [
    [
      '--authentication-config=a',
      '--target-version=1.33',
      '--feature-gates=StructuredAuthenticationConfiguration=false',
    ],
    [
      'set --feature-gates=StructuredAuthenticationConfiguration=true to use authentication-config file',
    ],
  ],
])('%j is refused', (args, messages) => {
  expect(problemsOf(args)).toEqual(messages);
});

test('a near name is suggested, a flag of another module is explained', () => {
  const reading = readServeOptions(['--oidc-client-i=x', '--client-ca-file=t']);
  expect(reading.kind === 'problems' && reading.problems.map(({ help }) => help)).toEqual([
    'Did you mean --oidc-client-id?',
    'kube-apiserver has --client-ca-file; its module is not part of this version.',
  ]);
});

test('no arguments make it throw; it gives options or says what is wrong', () => {
  const piece = fc.constantFrom(
    ...[
      '--',
      '-',
      '=',
      '"',
      'a,b',
      'true',
      '0x',
      '::1',
      '1h',
      '_',
      '-h',
      '--nope',
      '--oidc-client-id',
    ],
    ...['--api-audiences=', '--secure-port=', '--feature-gates=', '--bind-address='],
    ...['--shutdown-grace=', '--oidc_required-claim='],
  );
  const argument = fc
    .array(fc.oneof(piece, fc.string()), { maxLength: 4 })
    .map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(fc.array(argument, { maxLength: 6 }), (args) => {
      const reading = readServeOptions(args);
      if (reading.kind === 'problems') expect(reading.problems.length).toBeGreaterThan(0);
    }),
    { numRuns: 2_000 },
  );
});
