/** `authgraph/testCases`: the cases of a test file with their places, without running them. */
import {
  inMessage,
  type TestCasesAnswer,
  type TestsParams,
  testCasesRequest,
} from '../protocol.ts';
import { problems } from '../unavailable-reasons.ts';
import { loadTestFile } from './load-test-cases.ts';
import { requestFeature } from './request-feature.ts';

export const testCases = requestFeature<TestsParams, TestCasesAnswer>(
  testCasesRequest,
  { cases: [], problem: problems.failed },
  async ({ uri }, { workspace }) => {
    const part = await loadTestFile(workspace, uri);
    if (typeof part === 'string') return { cases: [], problem: inMessage(part) };
    const { places, diagnostics } = part;
    const cases = part.cases.map(({ name, span }) => ({ name, range: places.range(span) }));
    const [mistake] = diagnostics;
    if (mistake === undefined) return { cases };
    const place = { uri, range: places.range(mistake.span) };
    return { cases, problem: inMessage(`the test file has mistakes: ${mistake.message}`), place };
  },
);
