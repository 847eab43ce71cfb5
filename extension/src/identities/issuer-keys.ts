/** The public keys of a token's issuer, on the user's word alone. The token stays here. */
import { ProgressLocation, window, workspace } from 'vscode';
import { confirm, tell } from '../messages.ts';
import type { Model } from '../model.ts';
import { type Platform, whyNoIssuers } from '../platform.ts';
import type { Asking } from '../requests.ts';
import type { KeySet } from './key-sets.ts';
import { shownPlainly } from './signature-text.ts';

export interface IssuerKeysParts {
  readonly asking: Asking;
  readonly model: Model;
  readonly platform: Pick<Platform, 'host' | 'files'>;
}

/** `undefined` where there are none, or the user would rather not; a problem was said then. */
export const askIssuerKeys = async (
  issuer: string | undefined,
  { asking, model, platform }: IssuerKeysParts,
): Promise<KeySet | undefined> => {
  const uri = model.configuration?.uri.toString();
  const why = whyNoIssuers(platform);
  if (why !== undefined) return tell(why);
  if (!workspace.isTrusted) {
    return tell('issuers are asked in trusted workspaces only');
  }
  if (issuer === undefined) return tell('the token names no issuer');
  if (uri === undefined) return tell('open the configuration that has this issuer first');
  const { urls, problem } = await asking.issuerUrls({ uri, issuer });
  const [url] = urls;
  if (url === undefined) return tell(problem ?? 'the configuration does not have this issuer');
  if (!(await mayAsk(url))) return undefined;
  const answer = await window.withProgress(
    { location: ProgressLocation.Window, title: 'AuthGraph: asking the issuer…' },
    () => asking.issuerKeys({ uri, issuer }),
  );
  return answer.keys === undefined
    ? tell(answer.problem ?? 'the issuer gave no keys')
    : { name: `the keys of ${shownPlainly(issuer).slice(0, 80)}`, text: answer.keys };
};

const mayAsk = (url: string): Promise<boolean> =>
  confirm({
    question: 'Ask this issuer for its public keys?',
    detail: `${url}\n\nIts discovery document and the keys that it names are read. The token is not sent.`,
    yes: 'Ask This Issuer',
  });
