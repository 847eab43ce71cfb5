/**
 * Chains of certificates, good and bad in every way that a chain can be, as questions of the module
 * x509 without answers. The recorded answers of one run are test/engine/certificates/chains.jsonl.
 *
 *   node test/fuzz/chains.ts [--mutations 500] [--random 500] [--seed 1] > cases.jsonl
 *   npm run -s oracle:modules < cases.jsonl
 */
import { parseArgs } from 'node:util';
import { askElements } from './chains/elements.ts';
import { askEncodings } from './chains/encodings.ts';
import { askForms } from './chains/forms.ts';
import { askGraphs } from './chains/graphs.ts';
import { askNames } from './chains/names.ts';
import { askPolicies } from './chains/policies.ts';
import { askMutations, askRandom } from './chains/random.ts';
import { askSubjects } from './chains/subjects.ts';
import { randomOf } from './random.ts';

const { values: options } = parseArgs({
  options: {
    mutations: { type: 'string', default: '0' },
    random: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
  },
});

askElements();
askGraphs();
askNames();
askPolicies();
askSubjects();
askForms();
askEncodings();
const random = randomOf(Number(options.seed));
askMutations(Number(options.mutations), random);
askRandom(Number(options.random), random);
