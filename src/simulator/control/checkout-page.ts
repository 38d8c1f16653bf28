import { formatDinars, millimes } from '../../kernel';
import type { SimPayment } from '../checkout/checkout-state';
import { type Html, markup, NOTHING, page } from './html';

const BUTTONS = [
  { action: 'wallet', label: 'Pay by wallet' },
  { action: 'card', label: 'Pay by card' },
  { action: 'mpayment', label: 'Pay by mobile switch' },
  { action: 'refuse', label: 'Let the payment be refused' },
] as const;

export type CheckoutAction = (typeof BUTTONS)[number]['action'];

export function checkoutActionOf(text: string | null): CheckoutAction | undefined {
  return BUTTONS.find(({ action }) => action === text)?.action;
}

/** Returns the ends that a pending payment may take. */
export function actionsFor({ status, acceptCard }: SimPayment): CheckoutAction[] {
  if (status !== 'PENDING') return [];
  return BUTTONS.map(({ action }) => action).filter((action) => action !== 'card' || acceptCard);
}

/**
 * Renders the page on which the customer pays: the request, and a button for each end. Its form posts to its own
 * address.
 */
export function checkoutPage(payment: SimPayment, said = ''): string {
  const { paymentId, amountMillimes, clientId, status } = payment;
  const customer = clientId === null ? '' : ` for ${clientId}`;
  const facts = markup`<p>${formatDinars(millimes(amountMillimes))}${customer}, payment <code>${paymentId}</code>.
This is a simulated gateway: no money moves.</p>`;
  const note = said === '' ? NOTHING : markup`<p><strong>${said}</strong></p>`;
  return page('Checkout', markup`${facts}${note}${status === 'PENDING' ? buttons(payment) : ended(payment)}`);
}

/** Returns the address to which the customer returns after the payment ended. */
export function returnLink({ status, successLink, failLink }: SimPayment): string {
  return status === 'SUCCESS' || status === 'PREAUTH_SUCCESS' ? successLink : failLink;
}

function buttons(payment: SimPayment): Html {
  const offered = BUTTONS.filter(({ action }) => actionsFor(payment).includes(action));
  const rows = offered.map(
    ({ action, label }) => markup`<p><button name="action" value="${action}">${label}</button></p>`,
  );
  return markup`<form method="post">${rows}</form>`;
}

/** Renders the link back. A link with another scheme, such as `javascript:`, would run in this page. */
function ended(payment: SimPayment): Html {
  const link = returnLink(payment);
  const back = /^https?:/i.test(link) ? markup` <a href="${link}">Back to the merchant</a>` : NOTHING;
  return markup`<p>The payment is ${payment.status}.${back}</p>`;
}
