import type { Request, Response } from 'express';
import { clientLeft } from '../../http';
import { PROOF_LIFETIME_MS, type Scope, type UserSession } from '../../identity';
import { AppError, isAppError } from '../../kernel';
import type { ConsoleDeps } from '../page/console-deps';
import { inWords } from '../page/in-words';
import type { Action, Done, Page, Shown, Visit } from '../page/page';
import { ownProblem, type Problem, problemOf } from '../page/problem';
import { localsOf } from '../page/request-locals';
import { addressAfter, saidText } from '../page/said';
import { Layout, type MenuGroup } from '../parts/layout';
import { setCookie, type Transport } from '../web/cookies';
import { type Form, formOf, FormRefused, readForm } from '../web/form';
import { KEPT_FIELD } from '../web/kept-form';
import { CONSOLE, ownPath } from '../web/own-path';
import { isOwnForm, isSameOrigin } from '../web/same-origin';
import { freshSecret } from '../web/secrets';
import { sendErrorPage, tellWhen } from './error-page';
import { PROOF_FIELD, ProofPage } from './proof-page';
import { sendPage } from './send-page';

export interface PageDeps extends ConsoleDeps {
  /** Returns the menu of a person with these scopes. */
  readonly menuOf: (scopes: ReadonlySet<Scope>) => readonly MenuGroup[];
}

/** As `freshSecret` makes them. */
const ONCE = /^[\w-]{1,64}$/;

interface Exchange {
  readonly request: Request;
  readonly response: Response;
}

/**
 * Answers a request for a page of a person who signed in: rights, form, then what the page shows or does. The body is read
 * after the rights, so that no one else makes this process keep a file.
 */
export async function answerPage(deps: PageDeps, page: Page, exchange: Exchange): Promise<void> {
  const { request, response } = exchange;
  const visit = visitOf(deps, exchange);
  const { session } = visit;
  if (page.scope !== undefined && !visit.can(page.scope)) {
    await deps.identity.recordRefusedPage(visit.asking, page.path);
    const problem = problemOf(new AppError('missing_scope', { name: session.user.name, scope: page.scope }));
    return sendErrorPage(response, problem ?? ownProblem('missing_scope', 403));
  }
  if (request.method !== 'POST') {
    if (page.recordedAs !== undefined) {
      await deps.identity.recordOpened(visit.asking, page.recordedAs(visit.params));
    }
    return showPage(deps, page, visit, exchange, { status: 200 });
  }
  const expired = ownProblem('form_expired', 403);
  if (!isSameOrigin(request)) return sendErrorPage(response, expired);
  const fileOf = page.takesFile === true ? session.actor.name : undefined;
  const form = await readForm(request, response, { fileOf });
  if (!isOwnForm(request, form.value('csrf'), session.csrfToken)) {
    return showPage(deps, page, visit, exchange, { status: expired.status, problem: expired });
  }
  if (form.value(KEPT_FIELD) !== '') {
    return showPage(deps, page, { ...visit, form }, exchange, { status: 200, problem: ownProblem('form_kept', 200) });
  }
  const name = form.value('action');
  const action = Object.hasOwn(page.actions ?? {}, name) ? page.actions?.[name] : undefined;
  if (action === undefined) return sendErrorPage(response, ownProblem('not_found', 404));
  await runAction(deps, page, action, { ...visit, form }, exchange);
}

async function runAction(deps: PageDeps, page: Page, action: Action, visit: Visit, exchange: Exchange): Promise<void> {
  const { response } = exchange;
  const { form } = visit;
  if (action.scope !== undefined && !visit.can(action.scope)) {
    await deps.identity.recordRefusedPage(visit.asking, page.path);
    return sendErrorPage(response, { ...ownProblem('missing_scope', 403), params: { scope: action.scope } });
  }
  if (action.needsProof === true) {
    const proof = await proofOf(deps, visit.session, form);
    if (proof !== 'proved') {
      const title = visit.texts.t('common:proof.title');
      const body = <ProofPage visit={visit} form={form} outcome={proof} />;
      return sendShown(deps, visit, exchange, { title, body }, 200);
    }
  }
  const proved = action.needsProof === true ? { ...visit.session, provedAt: visit.now } : visit.session;
  let done: Done | Shown;
  try {
    done = await action.run({ ...visit, session: proved });
  } catch (error) {
    const refusal = problemOf(error) ?? passingFault(deps, visit, error);
    if (refusal === undefined) throw error;
    const problem = inWords(visit.texts, refusal);
    return showPage(deps, page, visit, exchange, { status: problem.status, problem });
  }
  if ('to' in done) return goOn(response, done);
  return sendShown(deps, visit, exchange, done, 200);
}

/** A busy database passes: the form stays, and its second try has one effect. The cause is logged, and not told. */
function passingFault({ logger }: PageDeps, { asking }: Visit, error: unknown): Problem | undefined {
  if (!isAppError(error, 'unavailable')) return undefined;
  logger.warn('action not done', { event: 'console.not_done', requestId: asking.requestId, error });
  return ownProblem('unavailable', 503);
}

/** Sends the browser to the next page, with the session that replaces its own. */
function goOn(response: Response, done: Done): void {
  const { transport } = localsOf(response);
  const { token, deviceToken } = done.started ?? {};
  if (token !== undefined) setCookie(response, transport, 'session', token);
  if (deviceToken !== undefined) setCookie(response, transport, 'device', deviceToken);
  response.redirect(303, addressAfter(done));
}

type Proof = 'proved' | 'needed' | 'refused' | { readonly retryAfterMs: number };

/** Returns whether the password was given a short time ago, or is in the form now. */
async function proofOf({ identity, clock }: ConsoleDeps, session: UserSession, form: Form): Promise<Proof> {
  if (clock.now() - session.provedAt < PROOF_LIFETIME_MS) return 'proved';
  const password = form.value(PROOF_FIELD);
  if (password === '') return 'needed';
  const proof = await identity.sessions.proveAgain(session, password);
  return proof.outcome === 'wait' ? { retryAfterMs: proof.retryAfterMs } : proof.outcome;
}

async function showPage(
  deps: PageDeps,
  page: Page,
  visit: Visit,
  exchange: Exchange,
  { status, problem }: { status: number; problem?: Problem },
): Promise<void> {
  try {
    if (problem !== undefined) tellWhen(exchange.response, problem);
    await sendShown(deps, visit, exchange, await page.show({ ...visit, problem }), status);
  } catch (error) {
    const fault = problemOf(error);
    if (fault === undefined) throw error;
    sendErrorPage(exchange.response, fault);
  }
}

async function sendShown(
  deps: PageDeps,
  visit: Visit,
  { request, response }: Exchange,
  { title, body, isWide = false }: Shown,
  status: number,
): Promise<void> {
  const { texts, session, here, query, now } = visit;
  // A link from elsewhere must not make a page claim what did not happen.
  const site = request.headers['sec-fetch-site'];
  const said = site === undefined || site === 'same-origin' ? saidText(texts, query['said']) : undefined;
  const shared = { texts, session, title, here, said, isWide, now, menu: deps.menuOf(session.actor.scopes) };
  sendPage(response, status, <Layout {...shared}>{body}</Layout>);
}

function addressOfRequest({ headers: { host = '' } }: Request, transport: Transport): string {
  return `${transport === 'tls' ? 'https' : 'http'}://${host}${CONSOLE}`;
}

function visitOf(deps: ConsoleDeps, { request, response }: Exchange): Visit {
  const { operations, identity, calendar, clock } = deps;
  const { texts, signedIn, requestId, transport } = localsOf(response);
  if (signedIn === undefined) throw new AppError('internal', 'a page is for a person who signed in');
  const { session } = signedIn;
  const asking = { actor: { ...session.actor, requestId }, left: clientLeft(request, response) };
  const query = Object.fromEntries(new URLSearchParams(request.originalUrl.split('?')[1] ?? ''));
  const visit: Visit = {
    ...{ asking: asking.actor, sessions: identity.sessions },
    ...{ session, texts, calendar, query, problem: undefined, form: formOf([], undefined) },
    ...{ now: clock.now(), here: ownPath(request.originalUrl), once: freshSecret() },
    addressOf: (path) => (deps.consoleUrl ?? addressOfRequest(request, transport)) + path.slice(CONSOLE.length),
    params: request.params as Readonly<Record<string, string>>,
    can: (scope) => session.actor.scopes.has(scope),
    async call(id, asked = {}) {
      if (asked.idempotencyKey !== undefined && !ONCE.test(asked.idempotencyKey)) throw new FormRefused('no key');
      const answer = await operations.call(asking, id, asked);
      if (!('body' in answer)) throw new AppError('internal', `${id} answers no JSON`);
      return answer.body;
    },
  };
  return visit;
}
