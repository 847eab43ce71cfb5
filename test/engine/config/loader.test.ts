/**
 * How kube-apiserver loads unusual files: scalars of YAML 1.1, keys that are not strings,
 * directives, structure, JSON, kinds, URLs. Its answers are recorded.
 */
import { expect, test } from 'vitest';
import { cases } from '../../support/cases.ts';
import { compileText } from '../../support/compile-text.ts';

test.each(cases<{ config: string }>('engine/config/loader.jsonl'))('$id', ({ input, expected }) => {
  const { report, diagnostics, graph } = compileText(input.config, { exact: true });
  expect(report).toEqual(expected);
  expect(diagnostics.some(({ severity }) => severity === 'error')).toBe(!report.ok);
  expect(graph !== undefined).toBe(report.ok);
});
