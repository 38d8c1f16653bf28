import type { Request, Response } from 'express';
import { clientLeft } from '../../http';
import { AppError } from '../../kernel';
import type { ConsoleDeps } from '../page/console-deps';
import type { Download } from '../page/page';
import { ownProblem, problemOf } from '../page/problem';
import { localsOf } from '../page/request-locals';
import { sendErrorPage } from './error-page';

/** Sends a file as an attachment, so that a browser stores it and shows nothing of it. */
export async function answerDownload(
  { identity, operations }: ConsoleDeps,
  download: Download,
  request: Request,
  response: Response,
): Promise<void> {
  const { signedIn, requestId, texts } = localsOf(response);
  if (signedIn === undefined) throw new AppError('internal', 'a download is for a person who signed in');
  const actor = { ...signedIn.session.actor, requestId };
  if (!actor.scopes.has(download.scope)) {
    await identity.recordRefusedPage(actor, download.path);
    return sendErrorPage(response, { ...ownProblem('missing_scope', 403), params: { scope: download.scope } });
  }
  const query = Object.fromEntries(new URLSearchParams(request.originalUrl.split('?')[1] ?? ''));
  const wanted = download.of(request.params as Readonly<Record<string, string>>, query, texts.language);
  if (wanted === undefined) return sendErrorPage(response, ownProblem('not_found', 404));
  try {
    const { operation, fileName } = wanted;
    await identity.recordOpened(actor, `file:${request.path}`);
    if (fileName !== undefined) response.setHeader('Content-Disposition', `attachment; filename="${fileName}"`);
    await operations.stream({ actor, left: clientLeft(request, response) }, operation, wanted, response);
  } catch (error) {
    const problem = response.headersSent ? undefined : problemOf(error);
    if (problem === undefined) throw error;
    response.removeHeader('Content-Disposition');
    sendErrorPage(response, problem);
  }
}
