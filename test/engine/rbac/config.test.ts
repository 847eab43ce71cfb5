/** The flags of authorization, parsed with the flags of the server. */
import { expect, test } from 'vitest';
import { readServeOptions } from '../../../engine/src/server/flags/options.ts';

test.each([
  [[], []],
  [['--authorization-mode=RBAC'], []],
  [['--authorization-mode=Node,RBAC', '--rbac-file=a', '--rbac-file', 'b'], []],
  [['--authorization-mode=Roles'], ['authorization-mode "Roles" is not a valid mode']],
  [
    ['--authorization-mode=RBAC', '--authorization-mode=AlwaysAllow'],
    ['authorization-mode "AlwaysAllow" is not supported'],
  ],
  [
    ['--authorization-mode=RBAC,RBAC'],
    ['authorization-mode ["RBAC" "RBAC"] has mode specified more than once'],
  ],
  [['--authorization-mode=Node'], ['authorization-mode must include RBAC']],
  [['--authorization-mode='], ['at least one authorization-mode must be passed']],
  [['--rbac-file='], ['--rbac-file must name a file']],
])('%j: %j', (args, expected) => {
  const reading = readServeOptions(['--authentication-config=a.yaml', ...args]);
  const problems = reading.kind === 'problems' ? reading.problems : [];
  expect(problems.map(({ message }) => message)).toEqual(expected);
});
