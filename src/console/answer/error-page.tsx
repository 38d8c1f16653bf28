import type { Response } from 'express';
import { SECOND_MS } from '../../kernel';
import type { Texts } from '../../texts';
import type { Problem } from '../page/problem';
import { localsOf } from '../page/request-locals';
import { Document } from '../parts/layout';
import { CONSOLE } from '../web/own-path';
import { sendPage } from './send-page';

/** Sends a page that says why there is no other one, and what to do. */
export function sendErrorPage(response: Response, problem: Problem): void {
  const { texts, requestId } = localsOf(response);
  const { title, text } = explanation(texts, problem, requestId);
  tellWhen(response, problem);
  sendPage(
    response,
    problem.status,
    <Document texts={texts} title={title} isSignedIn={false}>
      <main id="content" class="card">
        <h1>{title}</h1>
        <p role="alert">{text}</p>
        <p>
          <a href={CONSOLE}>{texts.t('common:problem.toStart')}</a>
        </p>
      </main>
    </Document>,
  );
}

/** States when the same request may succeed. */
export function tellWhen(response: Response, { params: { retryAfterMs } }: Problem): void {
  if (typeof retryAfterMs === 'number') response.setHeader('Retry-After', String(Math.ceil(retryAfterMs / SECOND_MS)));
}

/** Sends a page that tells to use TLS, because a session in plain HTTP could be stolen. */
export function sendInsecurePage(response: Response, texts: Texts): void {
  const title = texts.t('common:problem.insecureTitle');
  sendPage(
    response,
    403,
    <Document texts={texts} title={title} isSignedIn={false}>
      <main id="content" class="card">
        <h1>{title}</h1>
        <p>{texts.t('common:problem.insecure')}</p>
      </main>
    </Document>,
  );
}

function explanation(
  texts: Texts,
  { code, status, params }: Problem,
  requestId: string,
): { title: string; text: string } {
  const { t } = texts;
  if (code === 'missing_scope') {
    const right = texts.word('scope', String(params['scope']));
    return { title: t('common:problem.forbiddenTitle'), text: t('common:problem.forbidden', { right }) };
  }
  if (status === 404) return { title: t('common:problem.notFoundTitle'), text: t('common:problem.notFound') };
  if (status === 503) {
    return { title: t('common:problem.unavailableTitle'), text: t('common:problem.unavailable', { requestId }) };
  }
  const text = texts.problemDetail({ code, params }) ?? t('common:form.nothingStored');
  return { title: texts.problemTitle(code) ?? t('common:problem.conflictTitle'), text };
}
