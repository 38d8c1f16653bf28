import type { Express, Request, Response } from 'express';
import { CHECKOUT_PAGE_PATH } from '../checkout/checkout-link';
import type { CompletedPayment } from '../checkout/complete-payment';
import { findPayment } from '../checkout/find-payment';
import { failPayment, payPayment } from '../checkout/payer-actions';
import type { Simulator } from '../core/simulator';
import { type CheckoutAction, checkoutActionOf, checkoutPage, returnLink } from './checkout-page';
import { markup, page } from './html';
import { formOf, goTo, readForm, sendPage } from './page-routes';

/** Mounts the page to which `link` of Generate Payment and `checkout_url` of a subscription point. */
export function mountCheckoutPage(app: Express, simulator: Simulator): void {
  const { simulation } = simulator;

  async function show(request: Request, response: Response): Promise<void> {
    await simulator.catchUpForCall();
    const payment = findPayment(simulation, request.params['payment_id']);
    if (payment === undefined) return sendUnknown(response);
    sendPage(response, 200, checkoutPage(payment));
  }

  async function act(request: Request, response: Response): Promise<void> {
    await simulator.catchUpForCall();
    const payment = findPayment(simulation, request.params['payment_id']);
    if (payment === undefined) return sendUnknown(response);
    const action = checkoutActionOf(formOf(request).get('action'));
    if (action === undefined) return sendPage(response, 400, checkoutPage(payment, 'Choose one of the buttons.'));
    const completed = complete(payment.paymentId, action);
    if (completed.kind === 'refused') {
      return sendPage(response, 409, checkoutPage(payment, 'That is not possible now.'));
    }
    await simulator.catchUpAfterChange();
    goTo(response, returnLink(completed.payment));
  }

  function complete(paymentId: string, action: CheckoutAction): CompletedPayment {
    if (action === 'refuse') return failPayment(simulation, paymentId);
    return payPayment(simulation, paymentId, { type: action });
  }

  app.get(CHECKOUT_PAGE_PATH, show);
  app.post(CHECKOUT_PAGE_PATH, readForm, act);
}

function sendUnknown(response: Response): void {
  sendPage(response, 404, page('Checkout', markup`<p>There is no such payment.</p>`));
}
