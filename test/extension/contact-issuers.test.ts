/** Check Issuers: only confirmed URLs are contacted, and an older report never replaces a newer one. */
import { beforeEach, expect, test, vi } from 'vitest';
import { createIssuerDoctor } from '../../extension/src/contact-issuers.ts';
import { createServerRequests } from '../../extension/src/requests.ts';
import { doctorRequest, issuerUrlsRequest } from '../../language-server/src/protocol.ts';
import { editor, env } from './fake-vscode.ts';

vi.mock('vscode', async () => {
  const fake = await import('./fake-vscode.ts');
  const withProgress = (_: object, run: (progress: object, token: object) => unknown) =>
    run({ report: () => undefined }, { isCancellationRequested: false });
  return {
    ...fake,
    ProgressLocation: { Notification: 15 },
    window: { ...fake.window, withProgress },
    workspace: {
      ...fake.workspace,
      isTrusted: true,
      getConfiguration: () => ({ inspect: () => undefined }),
    },
  };
});
// The real module requires VS Code through Node.
vi.mock('vscode-languageclient', () => ({ WorkDoneProgress: {} }));

beforeEach(() => editor.reset());

test('contacts the confirmed URLs, and keeps the report of the newest run', async () => {
  const contacted: unknown[] = [];
  const finish: ((answer: object) => void)[] = [];
  const requests = createServerRequests({
    sendRequest: async <Answer>(method: unknown, params?: unknown) => {
      if (method === issuerUrlsRequest) return { urls: ['https://a.example'] } as Answer;
      expect(method).toBe(doctorRequest);
      contacted.push(params);
      return new Promise<Answer>((resolve) => finish.push(resolve as never));
    },
  });
  const doctor: ReturnType<typeof createIssuerDoctor> = Reflect.apply(
    createIssuerDoctor,
    undefined,
    [
      {
        client: { onProgress: () => ({ dispose: () => undefined }) },
        requests,
        model: { configuration: editor.open('/w/a.yaml', '') },
        results: { put: () => editor.open('/issuer report.txt', '').uri },
        platform: { host: 'desktop', files: () => 'server' },
      },
    ],
  );
  editor.answers('Contact Issuer', 'Contact Issuer');
  const runs = [doctor.run(), doctor.run()];
  await vi.waitFor(() => expect(finish).toHaveLength(2));
  expect(contacted[0]).toMatchObject({ urls: ['https://a.example'] });
  for (const [index, commandLine] of [[1, 'newer'] as const, [0, 'older'] as const]) {
    finish[index]?.({ issuers: [], commandLine });
    await runs[index];
  }
  await doctor.copyCommand();
  expect(await env.clipboard.readText()).toBe('newer');
});
