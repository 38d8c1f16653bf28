import { type Request, type Response, Router } from 'express';
import { isLanguage } from '../../texts';
import { sendErrorPage } from '../answer/error-page';
import type { ConsoleDeps } from '../page/console-deps';
import { ownProblem } from '../page/problem';
import { localsOf } from '../page/request-locals';
import { setCookie } from '../web/cookies';
import { type Form, readForm } from '../web/form';
import { ownPath, to, withQuery } from '../web/own-path';
import { isOwnForm } from '../web/same-origin';

/** Creates the answers to the forms that are on every page: the language, and the sign-out. */
export function accountRoutes({ identity }: ConsoleDeps): Router {
  const router = Router({ strict: true, caseSensitive: true });
  const own = async (request: Request, response: Response): Promise<Form | undefined> => {
    const form = await readForm(request, response);
    const csrf = localsOf(response).signedIn?.session.csrfToken;
    if (isOwnForm(request, form.value('csrf'), csrf)) return form;
    sendErrorPage(response, ownProblem('form_expired', 403));
    return undefined;
  };
  router.post('/sign-out', async (request, response) => {
    const { signedIn, transport } = localsOf(response);
    if ((await own(request, response)) === undefined || signedIn === undefined) return;
    await identity.sessions.end(signedIn.token);
    setCookie(response, transport, 'session', '');
    response.redirect(303, withQuery(to('/sign-in'), { out: 'yes' }));
  });
  router.post('/language', async (request, response) => {
    const { signedIn } = localsOf(response);
    const form = await own(request, response);
    if (form === undefined || signedIn === undefined) return;
    const language = form.value('language');
    if (isLanguage(language)) await identity.users.setLanguage(signedIn.session.user.name, language);
    response.redirect(303, ownPath(form.value('next')));
  });
  return router;
}
