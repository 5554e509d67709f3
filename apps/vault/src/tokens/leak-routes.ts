import { leakAnswerSchema, leakReportSchema } from '@hearth/protocol-types/vault/leak-report';
import { vaultLimits } from '@hearth/protocol-types/vault/limits';
import type { Request } from 'express';
import { type GitHubKeys, isSignedByGitHub } from '../crypto/github-signature.js';
import { VaultError } from '../errors/vault-error.js';
import { inStepsOfTime } from '../http/operations/in-steps-of-time.js';
import { defineOperation, type Operation } from '../http/operations/operation.js';
import { requestFactsOf } from '../http/request-facts.js';
import { leakReportPath } from '../http/security/open-paths.js';
import type { LeakService } from './leak-service.js';

/** Far longer than it takes to revoke a token, so that an answer comes no later for a real one. */
const answerStepMs = 200;

export interface LeakRouteParts {
  readonly leakReports: LeakService;
  readonly githubKeys: GitHubKeys;
}

export function leakRoutes({ leakReports, githubKeys }: LeakRouteParts): Operation[] {
  const isFromGitHub = (request: Request) =>
    isSignedByGitHub(githubKeys, request.rawBody, {
      identifier: request.get('github-public-key-identifier'),
      signature: request.get('github-public-key-signature'),
    });

  return [
    defineOperation({
      id: 'reportLeaks',
      method: 'post',
      path: leakReportPath,
      tag: 'Tokens',
      summary: 'Report tokens that were found in public',
      description:
        'Those that are real and live are revoked at once; their owners see when, and where they were found. The answer is always the same and says nothing about any token. The form is that of GitHub’s secret scanning.',
      access: { kind: 'public' },
      body: leakReportSchema,
      headers: {
        'Github-Public-Key-Identifier': 'Which of GitHub’s keys signed the body',
        'Github-Public-Key-Signature':
          'ECDSA (P-256, SHA-256) over the body, in base64. A report without a good one is taken, too, and recorded as anonymous',
      },
      replies: { 202: { description: 'Whatever was in it', schema: leakAnswerSchema } },
      async handle({ body, request }) {
        if (body.length > vaultLimits.leakEntries) {
          throw new VaultError(
            'body_too_large',
            `A report holds at most ${vaultLimits.leakEntries} entries. Send the others in another.`,
          );
        }
        const by = isFromGitHub(request) ? 'github' : 'anonymous';
        await inStepsOfTime(answerStepMs, () => leakReports.report(body, by, requestFactsOf(request)));
        return { status: 202, json: { accepted: true } };
      },
    }),
  ];
}
