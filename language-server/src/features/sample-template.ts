/** `authgraph/sampleTemplate`: the initial claims of a new sample. */
import { firstSample } from '@authgraph/engine/language';
import { stringMemberOf } from '../member-of.ts';
import { type SampleTemplate, sampleTemplateRequest } from '../protocol.ts';
import type { ConfigurationPart } from '../workspace.ts';
import type { Feature } from './feature.ts';

const templateFor = (parts: readonly ConfigurationPart[]): SampleTemplate => ({
  claims: firstSample(parts.flatMap(({ compilation }) => compilation.configuration ?? [])),
});

export const sampleTemplate: Feature = {
  capabilities: {},
  register(connection, handlers) {
    connection.onRequest(
      sampleTemplateRequest,
      handlers.guarded<unknown, SampleTemplate>(
        (params) => templateFor(handlers.workspace.parts(stringMemberOf(params, 'uri') ?? '')),
        templateFor([]),
      ),
    );
  },
};
