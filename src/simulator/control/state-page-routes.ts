import type { Express, Request, Response } from 'express';
import { isAppError } from '../../kernel';
import { failPayment, payPayment } from '../checkout/payer-actions';
import type { Simulator } from '../core/simulator';
import { checkoutActionOf } from './checkout-page';
import { CONTROL_PREFIX } from './control-table';
import { formOf, goTo, readForm, sendPage } from './page-routes';
import { completedOf } from './payment-controls';
import { statePage } from './state-page';
import { instantOf, timeTarget } from './time-target';

const PAGE = `${CONTROL_PREFIX}/page`;
const FORMS_STAY_HERE = "; form-action 'self'";

/** Mounts `GET /_simulator/page` and the routes of its forms. */
export function mountStatePage(app: Express, simulator: Simulator): void {
  const { simulation } = simulator;

  const show = (response: Response, status: number, said = ''): void =>
    sendPage(response, status, statePage(simulator, said), FORMS_STAY_HERE);

  /** Runs an action; if it is impossible, the page states why. */
  const acting = (work: (request: Request) => Promise<void>) => async (request: Request, response: Response) => {
    try {
      await simulator.catchUpForCall();
      await work(request);
    } catch (error) {
      if (!isAppError(error, 'bad_input', 'not_found', 'conflict')) throw error;
      return show(response, error.code === 'conflict' ? 409 : 400, error.message);
    }
    goTo(response, PAGE);
  };

  async function advance(request: Request): Promise<void> {
    const form = formOf(request);
    const workingDays = form.get('workingDays');
    const given = timeTarget.parse(workingDays === '1' ? { workingDays: 1 } : { by: form.get('by') ?? 'PT0S' });
    await simulator.advanceTo((now) => instantOf(given, now, simulation));
  }

  async function payOrRefuse(request: Request): Promise<void> {
    const paymentId = String(request.params['paymentId']);
    const action = checkoutActionOf(formOf(request).get('action')) ?? 'wallet';
    const completed =
      action === 'refuse' ? failPayment(simulation, paymentId) : payPayment(simulation, paymentId, { type: action });
    completedOf(completed, paymentId);
    await simulator.catchUpAfterChange();
  }

  app.get(PAGE, async (_request, response) => {
    await simulator.catchUpForCall();
    show(response, 200);
  });
  app.post(`${PAGE}/advance`, readForm, acting(advance));
  app.post(`${PAGE}/payments/:paymentId`, readForm, acting(payOrRefuse));
}
