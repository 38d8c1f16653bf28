import { type Request, type Response, Router } from 'express';
import type { UserSession } from '../../identity';
import { sendPage } from '../answer/send-page';
import type { ConsoleDeps } from '../page/console-deps';
import { inWords } from '../page/in-words';
import { ownProblem, problemOf } from '../page/problem';
import { localsOf } from '../page/request-locals';
import { Field } from '../parts/forms';
import { faultOf } from '../parts/problem-box';
import { readCookie, setCookie } from '../web/cookies';
import { type Form, readForm } from '../web/form';
import { KEPT_FIELD, type KeptForm, keptIn, keptOf } from '../web/kept-form';
import { ownPath, to, withQuery } from '../web/own-path';
import { isOwnForm, isSameOrigin } from '../web/same-origin';
import { freshSecret } from '../web/secrets';
import { Gate, type GateState, Hidden } from './gate';

/** Creates the pages of the sign-in and of the first password, which need no session. */
export function signInRoutes(deps: ConsoleDeps): Router {
  const router = Router({ strict: true, caseSensitive: true });
  router.get('/sign-in', (request, response) => {
    const { t } = localsOf(response).texts;
    const query = new URLSearchParams(request.originalUrl.split('?')[1] ?? '');
    const notice = query.has('ended')
      ? t('common:signIn.ended')
      : query.has('out')
        ? t('common:signIn.signedOut')
        : query.has('set')
          ? t('common:account.passwordSet')
          : undefined;
    sendSignIn(request, response, { notice }, 200);
  });
  router.post('/sign-in', async (request, response) => {
    const form = await readForm(request, response);
    if (!isOwnForm(request, form.value('csrf'), visitorOf(request, response))) return refuseForm(request, response);
    await signIn(deps, form, request, response);
  });
  router.get('/welcome', (request, response) => sendWelcome(request, response, {}, 200));
  router.post('/welcome', async (request, response) => {
    const form = await readForm(request, response);
    if (!isOwnForm(request, form.value('csrf'), visitorOf(request, response))) return refuseForm(request, response);
    await setPassword(deps, form, request, response);
  });
  return router;
}

function visitorOf(request: Request, response: Response): string | undefined {
  return readCookie(request, localsOf(response).transport, 'visitor');
}

function refuseForm(request: Request, response: Response): void {
  const { texts } = localsOf(response);
  sendSignIn(request, response, { fault: texts.t('common:form.expired') }, 403);
}

async function signIn({ identity }: ConsoleDeps, form: Form, request: Request, response: Response): Promise<void> {
  const { texts, transport, address } = localsOf(response);
  const name = form.value('name').trim();
  const code = form.value('code').replaceAll(/\s/g, '');
  const next = ownPath(form.value('next'));
  const kept = keptIn(form);
  const typed = { name };
  let outcome;
  try {
    outcome = await identity.sessions.signIn({
      ...{ name, password: form.value('password'), address },
      deviceToken: readCookie(request, transport, 'device'),
      ...(code === '' ? {} : { secondFactor: code }),
    });
  } catch (error) {
    const problem = problemOf(error) ?? ownProblem('passwords_busy', 503);
    return sendSignIn(request, response, { problem, typed, kept }, problem.status);
  }
  const former = readCookie(request, transport, 'session');
  if ('token' in outcome && former !== undefined) await identity.sessions.end(former);
  switch (outcome.outcome) {
    case 'signed_in':
      setCookie(response, transport, 'device', outcome.deviceToken);
      setCookie(response, transport, 'session', outcome.token);
      if (kept !== undefined) return sendKeptForm(response, outcome.session, kept);
      return response.redirect(303, next);
    case 'must_enroll':
      setCookie(response, transport, 'session', outcome.token);
      return response.redirect(303, to('/enroll'));
    case 'second_factor_needed':
      return sendSignIn(
        request,
        response,
        { notice: texts.t('common:signIn.codeNeeded'), needsCode: true, typed, kept },
        200,
      );
    case 'wait': {
      const fault = texts.t('common:signIn.wait', { duration: texts.duration(outcome.retryAfterMs + 999) });
      response.setHeader('Retry-After', String(Math.ceil(outcome.retryAfterMs / 1_000)));
      return sendSignIn(request, response, { fault, typed, kept }, 429);
    }
    case 'refused':
      return sendSignIn(request, response, { fault: texts.t('common:signIn.refused'), typed, kept }, 403);
  }
}

async function setPassword({ identity }: ConsoleDeps, form: Form, request: Request, response: Response): Promise<void> {
  const { texts, address } = localsOf(response);
  const name = form.value('name').trim();
  const typed = { name };
  if (form.value('password') !== form.value('repeated')) {
    return sendWelcome(request, response, { fault: texts.t('common:account.passwordsDiffer'), typed }, 400);
  }
  try {
    const given = { name, code: form.value('code').trim(), password: form.value('password'), address };
    const outcome = await identity.sessions.setFirstPassword(given);
    if (outcome.outcome === 'set') return response.redirect(303, withQuery(to('/sign-in'), { set: 'yes' }));
    const fault =
      outcome.outcome === 'wait'
        ? texts.t('common:signIn.wait', { duration: texts.duration(outcome.retryAfterMs + 999) })
        : texts.t('common:account.codeRefused');
    sendWelcome(request, response, { fault, typed }, outcome.outcome === 'wait' ? 429 : 403);
  } catch (error) {
    const problem = problemOf(error);
    if (problem === undefined) throw error;
    sendWelcome(request, response, { problem: inWords(texts, problem), typed }, problem.status);
  }
}

/** Returns the secret of the visitor's forms, and stores it in the browser if it is new. */
function visitorSecret(request: Request, response: Response): string {
  const known = visitorOf(request, response);
  if (known !== undefined && known !== '') return known;
  const secret = freshSecret();
  setCookie(response, localsOf(response).transport, 'visitor', secret);
  return secret;
}

function sendSignIn(request: Request, response: Response, state: GateState, status: number): void {
  const { texts } = localsOf(response);
  const query = new URLSearchParams(request.originalUrl.split('?')[1] ?? '');
  const next = state.kept?.path ?? query.get('next') ?? '';
  const title = texts.t('common:signIn.title');
  const kept = state.kept === undefined ? {} : { [KEPT_FIELD]: state.kept.fields };
  const hidden = { csrf: visitorSecret(request, response), next, ...kept };
  const { t } = texts;
  sendPage(
    response,
    status,
    <Gate texts={texts} title={title} state={state} path={withQuery(to('/sign-in'), { next })}>
      <form method="post" action={to('/sign-in')}>
        <Hidden fields={hidden} />
        <Field
          name="name"
          label={t('common:signIn.name')}
          autoComplete="username"
          value={state.typed?.name ?? ''}
          isRequired
          isPlain
          isFocused={state.typed === undefined}
        />
        <Field
          name="password"
          label={t('common:signIn.password')}
          type="password"
          autoComplete="current-password"
          isRequired
          isFocused={state.typed !== undefined}
        />
        <Field
          name="code"
          label={t('common:signIn.code')}
          hint={t('common:signIn.codeHint')}
          inputMode="numeric"
          autoComplete="one-time-code"
          isRequired={state.needsCode === true}
          maxLength={7}
        />
        <button class="main">{t('common:signIn.submit')}</button>
      </form>
      <p class="aside">
        <a href={to('/welcome')}>{t('common:signIn.haveCode')}</a>
      </p>
    </Gate>,
  );
}

/** Asks a person whose session ended to sign in, and keeps the form that they sent. */
export async function keepForm(request: Request, response: Response): Promise<void> {
  const { texts } = localsOf(response);
  const kept = isSameOrigin(request) ? keptOf(request, await readForm(request, response)) : undefined;
  sendSignIn(request, response, { notice: texts.t('common:signIn.ended'), kept }, 403);
}

/** Leads back to the page of a form that was sent too late; it shows what was typed, and does nothing by itself. */
function sendKeptForm(response: Response, { csrfToken }: UserSession, { path, fields }: KeptForm): void {
  const { texts } = localsOf(response);
  const title = texts.t('common:signIn.kept');
  sendPage(
    response,
    200,
    <Gate texts={texts} title={title} state={{}} path={path}>
      <form method="post" action={path}>
        {[...new URLSearchParams(fields)].map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        <Hidden fields={{ csrf: csrfToken, [KEPT_FIELD]: 'yes' }} />
        <button class="main">{texts.t('common:action.continue')}</button>
      </form>
    </Gate>,
  );
}

function sendWelcome(request: Request, response: Response, state: GateState, status: number): void {
  const { texts } = localsOf(response);
  const { t } = texts;
  sendPage(
    response,
    status,
    <Gate texts={texts} title={t('common:account.welcome')} state={state} path={to('/welcome')}>
      <form method="post" action={to('/welcome')}>
        <Hidden fields={{ csrf: visitorSecret(request, response) }} />
        <Field
          name="name"
          label={t('common:signIn.name')}
          autoComplete="username"
          value={state.typed?.name ?? ''}
          isRequired
          isPlain
        />
        <Field name="code" label={t('common:account.code')} isRequired isPlain />
        <Field
          name="password"
          label={t('common:account.newPassword')}
          hint={t('common:account.passwordHint')}
          type="password"
          autoComplete="new-password"
          isRequired
          fault={faultOf(state.problem, 'password')}
        />
        <Field
          name="repeated"
          label={t('common:account.repeatPassword')}
          type="password"
          autoComplete="new-password"
          isRequired
        />
        <button class="main">{t('common:action.save')}</button>
      </form>
      <p class="aside">
        <a href={to('/sign-in')}>{t('common:signIn.title')}</a>
      </p>
    </Gate>,
  );
}
