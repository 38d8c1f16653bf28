import type { Express, Request, Response } from 'express';
import { isAppError } from '../../kernel';
import type { Simulator } from '../core/simulator';
import { CONTROL_PREFIX } from './control-table';
import { PAGE_ACTIONS } from './page-actions';
import { formOf, goTo, readForm, sendPage } from './page-routes';
import { statePage } from './state-page';

const PAGE = `${CONTROL_PREFIX}/page`;
const FORMS_STAY_HERE = "; form-action 'self'";

/** Mounts `GET /_simulator/page` and the routes of its forms. */
export function mountStatePage(app: Express, simulator: Simulator): void {
  const show = ({ headers }: Request, response: Response, status: number, said = ''): void =>
    sendPage(response, status, statePage(simulator, said, `http://${headers.host ?? 'localhost'}`), FORMS_STAY_HERE);

  app.get(PAGE, async (request, response) => {
    await simulator.catchUpForCall();
    show(request, response, 200);
  });
  for (const [path, action] of Object.entries(PAGE_ACTIONS)) {
    // If an action is impossible, the page states why.
    app.post(`${PAGE}${path}`, readForm, async (request, response) => {
      try {
        await simulator.catchUpForCall();
        await action(simulator, { id: String(request.params['id'] ?? ''), fields: formOf(request) });
      } catch (error) {
        if (!isAppError(error, 'bad_input', 'not_found', 'conflict')) throw error;
        return show(request, response, error.code === 'conflict' ? 409 : 400, error.message);
      }
      goTo(response, PAGE);
    });
  }
}
