/** Answers cases about bootstrap tokens. */
import { linkBootstrapToken } from '../../../engine/src/authenticators/bootstrap-token/authenticate.ts';
import { compileBootstrapToken } from '../../../engine/src/authenticators/bootstrap-token/compile.ts';
import { secret } from '../../../engine/src/model/secret.ts';
import { fakeClock, fakePorts } from '../fake-ports.ts';
import { type DecisionAnswer, decisionAnswer } from './decision-answer.ts';
import { secretView } from './json-objects.ts';
import type { CaseLine } from './module-cases.ts';

export interface BootstrapCase
  extends CaseLine<
    { readonly secrets?: readonly object[] | null; readonly getError?: string },
    { readonly token?: string }
  > {
  readonly clock?: string;
}

export const answerBootstrap = async (line: BootstrapCase): Promise<DecisionAnswer> => {
  const { config, input } = line;
  const ports = fakePorts({ clock: fakeClock(Date.parse(line.clock ?? '2026-11-21T12:00:00Z')) });
  const node = compileBootstrapToken({ enabled: true }, { apiDomain: 'k8s.io' });
  if (node === undefined) throw new Error('switched off');
  const failure = config.getError === '' ? undefined : config.getError;
  const objects = secretView(config.secrets ?? [], failure);
  const { authenticate } = linkBootstrapToken(node, ports, { objects });
  const token = secret(input.token ?? '');
  const waiter = new AbortController();
  return decisionAnswer(await authenticate({ path: '/', token, audiences: [] }, waiter));
};
