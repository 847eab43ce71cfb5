import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readServeOptions } from '../../../engine/src/server/flags/options.ts';

const problemsOf = (args: readonly string[]): readonly string[] => {
  const reading = readServeOptions(args);
  return reading.kind === 'problems' ? reading.problems.map(({ message }) => message) : [];
};

test('reports an invalid token lifetime in addition to other problems', () => {
  expect(
    problemsOf([
      '--service-account-issuer=https://a.example',
      '--service-account-key-file=a.pem',
      '--service-account-max-token-expiration=30m',
      '--requestheader-username-headers=,x',
    ]),
  ).toEqual([
    'empty value in "requestheader-username-headers"',
    'the service-account-max-token-expiration must be between 1 hour and 2^32 seconds',
  ]);
});

test("uses kube-apiserver's messages for limits of requests in flight", () => {
  expect(
    problemsOf([
      '--max-requests-inflight=-1',
      '--max-mutating-requests-inflight=-1',
      '--goaway-chance=0.03',
    ]),
  ).toEqual([
    '--max-requests-inflight can not be negative value',
    '--max-mutating-requests-inflight can not be negative value',
    '--goaway-chance can not be less than 0 or greater than 0.02',
    'invalid configuration: MaxRequestsInFlight=-1 and MaxMutatingRequestsInFlight=-1; they must add up to something positive',
  ]);
  const none = ['--max-requests-inflight=0', '--max-mutating-requests-inflight=0'];
  expect(problemsOf(none)).toEqual([
    'invalid configuration: MaxRequestsInFlight=0 and MaxMutatingRequestsInFlight=0; they must add up to something positive',
  ]);
  expect(problemsOf([...none, '--enable-priority-and-fairness=false'])).toEqual([]);
  expect(problemsOf(['--goaway-chance=a'])).toEqual([
    'invalid argument "a" for "--goaway-chance" flag: strconv.ParseFloat: parsing "a": invalid syntax',
  ]);
  expect(problemsOf(['--goaway-chance=.5e-2'])).toEqual([]);
});

describe('syntax', () => {
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
  test('lists grow by repetition and are split like CSV', () => {
    expect(
      read('--api-audiences=a,"b,c"', '--api-audiences', 'd', '--api-audiences=').apiAudiences,
    ).toEqual(['a', 'b,c', 'd']);
  });
  test('required claims are pairs, split at the first equals sign and trimmed', () => {
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
  test('help takes precedence over problems', () => {
    expect(readServeOptions(['--nope', '--help']).kind).toBe('help');
    expect(readServeOptions(['-h']).kind).toBe('help');
  });
});

test.each<[readonly string[], readonly string[]]>([
  [['--nope'], ['unknown flag: --nope']],
  [
    ['--controllers=*,foo,-bar,tokencleaner,-*', '--controllers', '-serviceaccount-token,'],
    [
      '"foo" is not in the list of known controllers',
      '"bar" is not in the list of known controllers',
      '"*" is not in the list of known controllers',
      '"" is not in the list of known controllers',
    ],
  ],
  [['--basic-auth-file', 'ca.pem'], ['unknown flag: --basic-auth-file']],
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
])('%j is rejected', (args, messages) => {
  expect(problemsOf(args)).toEqual(messages);
});

describe('flags of two stores', () => {
  test.each<[readonly string[], readonly string[]]>([
    [
      ['--store=memory', '--etcd-servers=http://a:1', '--etcd-cafile=x'],
      ['--etcd-servers, --etcd-cafile: only valid with --store=etcd, but the store is memory'],
    ],
    [
      ['--store=kubernetes', '--store-path=/x', '--etcd-servers=http://a:1'],
      [
        '--store-path: only valid with --store=sqlite, but the store is kubernetes',
        '--etcd-servers: only valid with --store=etcd, but the store is kubernetes',
      ],
    ],
    [
      ['--etcd-servers=http://a:1', '--store-path=/x'],
      ['--store-path: only valid with --store=sqlite, but the store is etcd'],
    ],
    [
      ['--store-path=/x', '--store-kubeconfig=k', '--secure-port=0'],
      [
        '--secure-port 0 must be between 1 and 65535, inclusive. It cannot be turned off with 0',
        '--store-kubeconfig: only valid with --store=kubernetes, but the store is sqlite',
      ],
    ],
  ])('%j are rejected', (args, messages) => {
    expect(problemsOf(args)).toEqual(messages);
  });
  test.each([
    [['--store=memory', '--store-max-staleness=1m']],
    [['--store=sqlite', '--store-path=/x']],
    [['--store=etcd', '--etcd-servers=http://a:1', '--etcd-prefix=/x']],
    [['--store=kubernetes', '--store-kubeconfig=k', '--store-path=']],
  ])('%j are accepted', (args) => {
    expect(problemsOf(args)).toEqual([]);
  });
});

test('suggests a similar name', () => {
  const reading = readServeOptions(['--oidc-client-i=x', '--nothing-near=t']);
  expect(reading.kind === 'problems' && reading.problems.map(({ help }) => help)).toEqual([
    'Did you mean --oidc-client-id?',
    '',
  ]);
});

describe('service accounts', () => {
  const options = (...args: readonly string[]) => {
    const reading = readServeOptions(args);
    return reading.kind === 'options' ? reading.options : undefined;
  };
  test('are optional', () => {
    expect(options()?.modules.serviceAccounts.issuers).toEqual([]);
    expect(options()?.apiAudiences).toEqual([]);
  });
  test('are all required once one is set', () => {
    expect(problemsOf(['--service-account-issuer=https://a.example'])).toEqual([
      'either `--service-account-key-file` or `--service-account-signing-endpoint` must be set',
    ]);
    expect(problemsOf(['--service-account-signing-key-file=a.key'])).toEqual([
      'service-account-issuer is a required flag',
      'either `--service-account-key-file` or `--service-account-signing-endpoint` must be set',
    ]);
  });
  test('never use the serving key', () => {
    const serving = ['--tls-cert-file=s.crt', '--tls-private-key-file=s.key'];
    const issuer = '--service-account-issuer=https://a.example';
    const signing = '--service-account-signing-key-file=a.key';
    const missing = [
      'either `--service-account-key-file` or `--service-account-signing-endpoint` must be set',
    ];
    expect(problemsOf([issuer, ...serving])).toEqual(missing);
    expect(problemsOf([issuer, signing, ...serving])).toEqual(missing);
    expect(options(...serving)?.modules.serviceAccounts.keyFiles).toEqual([]);
  });
  test('are the default audiences of the API', () => {
    const flags = ['--service-account-issuer=a', '--service-account-key-file=a.pub'];
    expect(options(...flags)?.apiAudiences).toEqual(['a']);
    expect(options(...flags, '--api-audiences=b,c')?.apiAudiences).toEqual(['b', 'c']);
  });
});

test("reports problems of all modules together, in kube-apiserver's order", () => {
  expect(
    problemsOf([
      '--requestheader-allowed-names= ',
      '--requestheader-username-headers= ',
      '--service-account-jwks-uri=http://x',
      '--oidc-client-id=x',
      '--feature-gates=Nope=true',
    ]),
  ).toEqual([
    'unrecognized feature gate: Nope',
    'oidc-issuer-url and oidc-client-id must be specified together when any oidc-* flags are set',
    'service-account-issuer is a required flag',
    'either `--service-account-key-file` or `--service-account-signing-endpoint` must be set',
    'service-account-jwks-uri requires https scheme, parsed as: http://x',
    'empty value in "requestheader-username-headers"',
    'empty value in "requestheader-allowed-names"',
  ]);
});

test('never throws, and returns options or problems', () => {
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
