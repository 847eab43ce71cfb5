/**
 * The recorded stack has no loopback tokens, which the whole server asks as well: its reviews tell of
 * a refused token what the modules say, and nothing before that.
 */
import type { Decision } from '../../../engine/src/model/decision.ts';
import { unclaimedToken } from '../../../engine/src/runtime/refusals.ts';
import type { Stage, StageHolder } from '../../../engine/src/server/stage.ts';

export interface StageAlone {
  readonly holder: StageHolder;
  /** The body of the last answer as JSON. */
  recorded(body: string): string;
}

export const stageAlone = (holder: StageHolder): StageAlone => {
  let messages = 0;
  const note = (decision: Decision): Decision => {
    messages = decision.kind === 'rejected' ? (decision.reason.messages ?? [decision]).length : 0;
    return decision;
  };
  const noting =
    (authenticate: Stage['authenticate']): Stage['authenticate'] =>
    (...question) => {
      const decision = authenticate(...question);
      return decision instanceof Promise ? decision.then(note) : note(decision);
    };
  return {
    holder: {
      acquire() {
        const { stage, release } = holder.acquire();
        return {
          stage: {
            ...stage,
            authenticate: noting(stage.authenticate),
            connection: () => noting(stage.connection?.() ?? stage.authenticate),
          },
          release,
        };
      },
    },
    recorded: (body) =>
      body.replace(refusal, (_, before: string, rest: string) =>
        messages === 1 ? `${before}${rest}"` : `${before}[${rest}]"`,
      ),
  };
};

const refusal = new RegExp(
  String.raw`("error": ?")\[${unclaimedToken.message}, ((?:[^"\\]|\\.)*)\]"`,
);
