/** What a new sample begins with. */
import { firstSample } from '@authgraph/engine/language';
import { textOf } from '../member-of.ts';
import { type SampleTemplate, sampleTemplateRequest } from '../protocol.ts';
import type { ConfigurationPart } from '../workspace.ts';
import type { Feature } from './feature.ts';

const templateFor = (parts: readonly ConfigurationPart[]): SampleTemplate => ({
  claims: firstSample(parts.flatMap(({ compilation }) => compilation.configuration ?? [])),
});

export const sampleTemplate: Feature = {
  capabilities: {},
  register(connection, answering) {
    connection.onRequest(
      sampleTemplateRequest,
      answering.guarded<unknown, SampleTemplate>(
        (params) => templateFor(answering.workspace.parts(textOf(params, 'uri') ?? '')),
        templateFor([]),
      ),
    );
  },
};
