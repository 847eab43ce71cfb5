/** Flags with which the server does not start, or starts with a warning. */
import { expect, test } from 'vitest';
import { authenticatorProblems } from '../../../engine/src/server/flags/authenticator-problems.ts';
import { readServeOptions, type ServeOptions } from '../../../engine/src/server/flags/options.ts';

const optionsOf = (args: readonly string[]): ServeOptions => {
  const { options } = { options: undefined, ...readServeOptions(args) };
  if (options === undefined) throw new Error(`invalid: ${args.join(' ')}`);
  return options;
};

test.each([
  [[], false],
  [['--bind-address=127.0.0.1', '--rbac-file=roles.yaml', '--api-audiences=a'], false],
  [['--anonymous-auth=false'], false],
  [['--anonymous-auth=true'], true],
  [['--authentication-config=auth.yaml'], true],
  [['--oidc-issuer-url=https://i.example', '--oidc-client-id=a'], true],
  [['--client-ca-file=ca.crt'], true],
  [['--requestheader-client-ca-file=ca.crt'], true],
  [['--token-auth-file=tokens.csv'], true],
  [['--service-account-issuer=https://a.example', '--service-account-key-file=sa.pub'], true],
  [['--enable-bootstrap-token-auth'], true],
  [['--authentication-token-webhook-config-file=hook.yaml'], true],
])('%j configure an authenticator: %s', (args, expected) => {
  const problems = authenticatorProblems(optionsOf(args));
  expect(problems.length === 0).toBe(expected);
  for (const { message, help } of problems) {
    expect(message).toContain('no authenticator is configured');
    expect(help).toContain('--authentication-config');
  }
});

const exposure = expect.stringContaining('every address with a self-signed certificate');
const pair = ['--tls-cert-file=a', '--tls-private-key-file=b'];

test.each([
  [[], [exposure]],
  [['--bind-address=127.0.0.1'], []],
  [['--bind-address=0.0.0.0'], []],
  [pair, []],
])('%j: warnings about the address', (args, warnings) => {
  expect(optionsOf(args).warnings).toEqual(warnings);
});
