/**
 * F-19: `npm run soak -- --seconds 3600`. A server with every module under a steady mix; keys
 * rotate, the configuration and the authorities change, accounts are created and deleted. Prints a
 * line per minute and, at the end, the slope of memory after the first sixth, handles, and
 * unexpected responses.
 */
import { appendFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { runSoak } from './parts/soak-run.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3600' },
    rate: { type: 'string', default: '200' },
    /** The factor of the time between changes; a tenth is enough for a short run. */
    pace: { type: 'string', default: '1' },
    /** The changes before the first minute; 300 in a run of more than an hour. */
    'changes-before': { type: 'string' },
    output: { type: 'string' },
  },
});

const seconds = Number(values.seconds);
const report = await runSoak({
  seconds,
  perSecond: Number(values.rate),
  pace: Number(values.pace),
  changesBefore: Number(values['changes-before'] ?? (seconds > 3600 ? 300 : 0)),
  onMinute: (line) => {
    console.log(line);
    if (values.output !== undefined) appendFileSync(values.output, `${line}\n`);
  },
});
const text = JSON.stringify(report, undefined, 2);
console.log(text);
if (values.output !== undefined) appendFileSync(values.output, `${text}\n`);
process.exitCode = report.faults.length === 0 ? 0 : 1;
