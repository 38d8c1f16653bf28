import { type NextFunction, type Request, type Response, Router } from 'express';
import { clientAddress, refusalStatus, requireShortTarget } from '../http';
import { newId } from '../kernel';
import { isLanguage, preferredLanguage, type Texts, textsOf } from '../texts';
import { answerDownload } from './answer/answer-download';
import { answerPage } from './answer/answer-page';
import { sendErrorPage, sendInsecurePage } from './answer/error-page';
import type { ConsoleDeps } from './page/console-deps';
import { ownProblem, problemOf } from './page/problem';
import { type Locals, localsOf } from './page/request-locals';
import { DOWNLOADS, PAGES } from './pages';
import { landingOf } from './pages/landing';
import { menuOf } from './pages/menu';
import { accountRoutes } from './session/account-routes';
import { keepForm, signInRoutes } from './session/sign-in-routes';
import { ASSET_NAMES, assetOf } from './web/assets';
import { readCookie, setCookie, transportOf } from './web/cookies';
import { FormRefused } from './web/form';
import { PAGE_HEADERS } from './web/headers';
import { CONSOLE, ownPath, to, withQuery } from './web/own-path';

/** The forms that are on every page. */
const EVERYWHERE = /^\/(?:sign-out|language)$/;

/** Creates the pages, to be mounted at `/console`. */
export function consoleRoutes(deps: ConsoleDeps): Router {
  const { identity } = deps;
  const router = Router({ strict: true, caseSensitive: true });
  router.use((request, response, next) => {
    const locals = beginRequest(deps, request, response);
    requireShortTarget(request.originalUrl);
    if (locals.transport === 'plain') return sendInsecurePage(response, locals.texts);
    next();
  });
  serveAssets(router);
  router.use(signInRoutes(deps));
  router.use(async (request, response, next) => {
    const locals = localsOf(response);
    const token = readCookie(request, locals.transport, 'session');
    const session = token === undefined ? undefined : await identity.sessions.find(token);
    if (token === undefined || session === undefined) {
      if (token !== undefined) setCookie(response, locals.transport, 'session', '');
      const isForm = request.method === 'POST' && request.is('application/x-www-form-urlencoded') !== false;
      if (isForm && token !== undefined && !EVERYWHERE.test(request.path)) return keepForm(request, response);
      const back = request.method === 'GET' ? ownPath(request.originalUrl) : undefined;
      const ended = token === undefined ? undefined : 'yes';
      return response.redirect(303, withQuery(to('/sign-in'), { next: back, ended }));
    }
    locals.signedIn = { token, session };
    const { language } = session.user;
    if (language !== undefined) locals.texts = textsIn(deps, language);
    if (session.state === 'must_enroll' && !/^\/(?:enroll|sign-out|language)$/.test(request.path)) {
      return response.redirect(303, to('/enroll'));
    }
    deps.limit(`user:${session.user.userId}`, request.method === 'POST', response);
    next();
  });
  router.use(accountRoutes(deps));
  router.use(landingAndFiles(deps));
  for (const page of PAGES) {
    router.all(page.path, async (request, response) => {
      localsOf(response).route = `/console${page.path === '/' ? '' : page.path}`;
      if (!['GET', 'HEAD', 'POST'].includes(request.method)) {
        response.setHeader('Allow', 'GET, HEAD, POST');
        return sendErrorPage(response, ownProblem('method_not_allowed', 405));
      }
      await answerPage({ ...deps, menuOf }, page, { request, response });
    });
  }
  router.use((_request, response) => sendErrorPage(response, ownProblem('not_found', 404)));
  router.use((error: unknown, request: Request, response: Response, _next: NextFunction) =>
    answerFault(deps, error, request, response),
  );
  return router;
}

function serveAssets(router: Router): void {
  for (const name of ASSET_NAMES) {
    const { path, type, content } = assetOf(name);
    router.get(path.slice(CONSOLE.length), (_request, response) => {
      response.set({ 'Cache-Control': 'public, max-age=31536000, immutable', 'Content-Type': type });
      response.send(content);
    });
  }
}

/** Answers a request that failed. Faults of Millime are logged, and their cause is not told. */
function answerFault({ logger }: ConsoleDeps, error: unknown, request: Request, response: Response): void {
  const { requestId } = localsOf(response);
  if (response.headersSent) return void request.socket.destroy();
  const unread = error instanceof FormRefused ? (error.isTooLarge ? 413 : 400) : refusalStatus(error);
  if (unread !== undefined) {
    return sendErrorPage(response, ownProblem(unread === 413 ? 'payload_too_large' : 'bad_input', unread));
  }
  const problem = problemOf(error);
  if (problem !== undefined) return sendErrorPage(response, problem);
  logger.error('page not answered', { event: 'console.failed', requestId, error });
  sendErrorPage(response, ownProblem('unavailable', 503));
}

/** Creates the way to the first page of a person, and the files. */
function landingAndFiles(deps: ConsoleDeps): Router {
  const router = Router({ strict: true, caseSensitive: true });
  router.get('/', (_request, response, next) => {
    const scopes = localsOf(response).signedIn?.session.actor.scopes;
    const landing = scopes === undefined ? undefined : landingOf(scopes);
    if (landing === undefined) return next();
    response.redirect(303, landing);
  });
  for (const download of DOWNLOADS) {
    router.get(download.path, async (request, response) => {
      localsOf(response).route = `/console${download.path}`;
      await answerDownload(deps, download, request, response);
    });
  }
  return router;
}

function beginRequest(deps: ConsoleDeps, request: Request, response: Response): Locals {
  const { monotonic, isTrustedProxy, logger, observe } = deps;
  const wanted = new URLSearchParams(request.originalUrl.split('?')[1] ?? '').get('lang') ?? '';
  const language = isLanguage(wanted) ? wanted : preferredLanguage(request.headers['accept-language']);
  const locals: Locals = {
    requestId: newId(),
    startedAt: monotonic.now(),
    address: clientAddress(request, isTrustedProxy),
    transport: transportOf(request, isTrustedProxy),
    texts: textsIn(deps, language),
    route: '/console',
  };
  Object.assign(response.locals, locals);
  response.set({ ...PAGE_HEADERS, 'X-Request-Id': locals.requestId });
  response.once('finish', () => {
    const { route, signedIn, startedAt, requestId } = localsOf(response);
    const ms = monotonic.now() - startedAt;
    observe?.({ route, method: request.method, status: response.statusCode, seconds: ms / 1_000 });
    // Requests without a session must not fill the log.
    logger[signedIn === undefined ? 'debug' : 'info']('page answered', {
      event: 'console.answered',
      ...{ requestId, route, status: response.statusCode, ms, user: signedIn?.session.user.name },
    });
  });
  return localsOf(response);
}

function textsIn({ calendar }: ConsoleDeps, language: Texts['language']): Texts {
  return textsOf(language, calendar.timeZone);
}
