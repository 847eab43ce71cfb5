/** Recorded results of kube-apiserver's decoding and validation of configurations. */
import { describe, expect, test } from 'vitest';
import { defaultGates } from '../../engine/src/model/feature-gates.ts';
import { newestRelease } from '../../engine/src/model/release.ts';
import { cases } from '../support/cases.ts';
import { compileText } from '../support/compile-text.ts';

interface Input {
  readonly config: string;
  readonly disallowedIssuers?: readonly string[];
  readonly featureGates?: Readonly<Record<string, boolean>>;
}

const gatesOf = (overrides: Input['featureGates']) =>
  new Map([...defaultGates(newestRelease), ...Object.entries(overrides ?? {})]);

describe('decodes and validates a configuration like kube-apiserver', () => {
  test.each(cases<Input>('conformance/config-validation.jsonl'))('$id', ({ input, expected }) => {
    const { report } = compileText(input.config, {
      exact: true,
      disallowedIssuers: input.disallowedIssuers ?? [],
      featureGates: gatesOf(input.featureGates),
    });
    expect(report).toEqual(expected);
  });
});
