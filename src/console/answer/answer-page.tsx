import type { Request, Response } from 'express';
import { clientLeft } from '../../http';
import { PROOF_LIFETIME_MS, type Scope, type UserSession } from '../../identity';
import { AppError } from '../../kernel';
import type { ConsoleDeps } from '../page/console-deps';
import type { Action, Done, Page, Shown, Visit } from '../page/page';
import { ownProblem, type Problem, problemOf } from '../page/problem';
import { localsOf } from '../page/request-locals';
import { addressAfter, saidText } from '../page/said';
import { Layout, type MenuGroup } from '../parts/layout';
import { setCookie, type Transport } from '../web/cookies';
import { type Form, formOf } from '../web/form';
import { CONSOLE, ownPath } from '../web/own-path';
import { isOwnForm } from '../web/same-origin';
import { freshSecret } from '../web/secrets';
import { sendErrorPage } from './error-page';
import { PROOF_FIELD, ProofPage } from './proof-page';
import { sendPage } from './send-page';

export interface PageDeps extends ConsoleDeps {
  /** Returns the menu of a person with these scopes. */
  readonly menuOf: (scopes: ReadonlySet<Scope>) => readonly MenuGroup[];
}

interface Exchange {
  readonly request: Request;
  readonly response: Response;
  readonly form: Form;
  /** Whether a form was sent. */
  readonly isForm: boolean;
}

/** Answers a request for a page of a person who signed in: rights, form, then what the page shows or does. */
export async function answerPage(deps: PageDeps, page: Page, exchange: Exchange): Promise<void> {
  const { response } = exchange;
  const visit = visitOf(deps, exchange);
  const { session } = visit;
  if (page.scope !== undefined && !visit.can(page.scope)) {
    await deps.identity.recordRefusedPage(visit.asking, page.path);
    const problem = problemOf(new AppError('missing_scope', { name: session.user.name, scope: page.scope }));
    return sendErrorPage(response, problem ?? ownProblem('missing_scope', 403));
  }
  if (!exchange.isForm) return showPage(deps, page, visit, exchange, { status: 200 });
  const refused = formProblem(exchange, session);
  if (refused !== undefined) return showPage(deps, page, visit, exchange, { status: refused.status, problem: refused });
  const action = page.actions?.[exchange.form.value('action')];
  if (action === undefined) return sendErrorPage(response, ownProblem('not_found', 404));
  await runAction(deps, page, action, visit, exchange);
}

async function runAction(deps: PageDeps, page: Page, action: Action, visit: Visit, exchange: Exchange): Promise<void> {
  const { response, form } = exchange;
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
  let done: Done | Shown;
  try {
    done = await action.run({ ...visit, form });
  } catch (error) {
    const problem = problemOf(error);
    if (problem === undefined) throw error;
    return showPage(deps, page, { ...visit, form }, exchange, { status: problem.status, problem });
  }
  if ('to' in done) return goOn(response, done);
  return sendShown(deps, { ...visit, form }, exchange, done, 200);
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

function formProblem({ request, form }: Exchange, { csrfToken }: UserSession): Problem | undefined {
  return isOwnForm(request, form.value('csrf'), csrfToken) ? undefined : ownProblem('form_expired', 403);
}

async function showPage(
  deps: PageDeps,
  page: Page,
  visit: Visit,
  exchange: Exchange,
  { status, problem }: { status: number; problem?: Problem },
): Promise<void> {
  try {
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
  { response }: Exchange,
  { title, body, isWide = false }: Shown,
  status: number,
): Promise<void> {
  const { texts, session, here, query, now } = visit;
  const said = saidText(texts, query['said']);
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
      const answer = await operations.call(asking, id, asked);
      if (!('body' in answer)) throw new AppError('internal', `${id} answers no JSON`);
      return answer.body;
    },
  };
  return visit;
}
