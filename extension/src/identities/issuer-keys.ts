/** The public keys of a token's issuer, on the user's word alone. The token stays here. */
import { ProgressLocation, window, workspace } from 'vscode';
import { confirm, showInfo } from '../messages.ts';
import type { Model } from '../model.ts';
import { type Platform, issuersUnavailableReason } from '../platform.ts';
import type { ServerRequests } from '../requests.ts';
import type { KeySet } from './key-sets.ts';
import { withoutMarkup } from './signature-text.ts';

export interface IssuerKeysParts {
  readonly requests: ServerRequests;
  readonly model: Model;
  readonly platform: Pick<Platform, 'host' | 'files'>;
}

/** `undefined` where there are none, or the user would rather not; a problem was said then. */
export const fetchIssuerKeys = async (
  issuer: string | undefined,
  { requests, model, platform }: IssuerKeysParts,
): Promise<KeySet | undefined> => {
  const uri = model.configuration?.uri.toString();
  const why = issuersUnavailableReason(platform);
  if (why !== undefined) return showInfo(why);
  if (!workspace.isTrusted) {
    return showInfo('issuers are asked in trusted workspaces only');
  }
  if (issuer === undefined) return showInfo('the token names no issuer');
  if (uri === undefined) return showInfo('open the configuration that has this issuer first');
  const { urls, problem } = await requests.issuerUrls({ uri, issuer });
  const [url] = urls;
  if (url === undefined) return showInfo(problem ?? 'the configuration does not have this issuer');
  if (!(await confirmContact(url))) return undefined;
  const answer = await window.withProgress(
    { location: ProgressLocation.Window, title: 'AuthGraph: asking the issuer…' },
    () => requests.issuerKeys({ uri, issuer }),
  );
  return answer.keys === undefined
    ? showInfo(answer.problem ?? 'the issuer gave no keys')
    : { name: `the keys of ${withoutMarkup(issuer).slice(0, 80)}`, text: answer.keys };
};

const confirmContact = (url: string): Promise<boolean> =>
  confirm({
    question: 'Ask this issuer for its public keys?',
    detail: `${url}\n\nIts discovery document and the keys that it names are read. The token is not sent.`,
    yes: 'Ask This Issuer',
  });
