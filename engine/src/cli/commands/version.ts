/** `authgraph version`: the version of the program, its runtime and the supported releases. */
import { productVersion } from '../../model/product-version.ts';
import { releaseName, releases, supportedReleases } from '../../model/release.ts';
import { defineCommand, outputFlag } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';

/** The version of `-o json`; see docs/schema/version.v1.json. */
const outputVersion = 1;

export const versionCommand = defineCommand({
  name: 'version',
  usage: '[flags]',
  about:
    'Prints the versions of authgraph and Node.js, and the Kubernetes releases that it emulates. `authgraph --version` prints the first line only.',
  flags: [
    {
      name: 'short',
      group: 'Output',
      type: 'bool',
      doc: 'Print only the version of authgraph.',
    },
    outputFlag,
  ],
  examples: [
    { line: 'authgraph version', does: 'what to write into a bug report' },
    { line: 'authgraph version -o json | jq -r .authgraph', does: 'the version alone' },
  ],
  run: async ({ values }, io) => {
    const node = process.versions.node;
    const platform = `${process.platform}/${process.arch}`;
    const text = values.bool('short')
      ? [`authgraph ${productVersion}`]
      : [
          `authgraph ${productVersion}`,
          `Node.js ${node} (${platform})`,
          `Kubernetes ${supportedReleases}`,
        ];
    const data = {
      version: outputVersion,
      authgraph: productVersion,
      node,
      platform,
      kubernetes: releases.map(releaseName),
    };
    io.stdout.write(
      values.string('output') === 'json'
        ? `${JSON.stringify(data, undefined, 2)}\n`
        : text.map((line) => `${line}\n`).join(''),
    );
    return exitCodes.ok;
  },
});
