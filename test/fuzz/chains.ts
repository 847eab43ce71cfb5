/**
 * Writes valid and invalid certificate chains as inputs of the x509 module of the oracle. The
 * recorded results of one run are in test/engine/certificates/chains.jsonl.
 *
 *   node test/fuzz/chains.ts [--mutations 500] [--random 500] [--seed 1] > cases.jsonl
 *   npm run -s oracle:modules < cases.jsonl
 */
import { parseArgs } from 'node:util';
import { writeElementCases } from './chains/elements.ts';
import { writeEncodingCases } from './chains/encodings.ts';
import { writeFormCases } from './chains/forms.ts';
import { writeGraphCases } from './chains/graphs.ts';
import { writeNameCases } from './chains/names.ts';
import { writePolicyCases } from './chains/policies.ts';
import { writeMutationCases, writeRandomCases } from './chains/random.ts';
import { writeSubjectCases } from './chains/subjects.ts';
import { randomOf } from './random.ts';

const { values: options } = parseArgs({
  options: {
    mutations: { type: 'string', default: '0' },
    random: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
  },
});

writeElementCases();
writeGraphCases();
writeNameCases();
writePolicyCases();
writeSubjectCases();
writeFormCases();
writeEncodingCases();
const random = randomOf(Number(options.seed));
writeMutationCases(Number(options.mutations), random);
writeRandomCases(Number(options.random), random);
