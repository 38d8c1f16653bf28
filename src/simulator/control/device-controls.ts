import { z } from 'zod';
import { AppError, formatInstant } from '../../kernel';
import type { Simulation } from '../core/simulation';
import { finishPos, posTransactionOf } from '../pos/finish-pos';
import { payQr } from '../qr/pay-qr';
import { confirmLink } from '../wallet/link-account';
import { type ControlRoute, json } from './control-route';
import { pathPart, readBody, readNothing } from './read-request';

const CHANNEL_CHARACTERS_MAX = 50;

const finishBody = z.strictObject({
  status: z.enum(['PS', 'PP', 'PF', 'PR', 'RP', 'RF', 'PU', 'PA']).default('PS'),
  paymentMethod: z.enum(['card', 'wallet', 'nfc', 'check', 'cash']).optional(),
});
const payBody = z.strictObject({
  times: z.int().default(1),
  channel: z.string().min(1).max(CHANNEL_CHARACTERS_MAX).optional(),
});

/** Actions at terminals, at codes and on customers' telephones. */
export const deviceControls: readonly ControlRoute[] = [
  {
    method: 'GET',
    path: '/pos',
    does: 'lists POS transactions, oldest first',
    answer: ({ simulation }) =>
      json({ transactions: Object.values(simulation.world.pos.transactions).map(withInstant) }),
  },
  {
    method: 'POST',
    path: '/pos/:serviceTransactionId/finish',
    takes: '`status`: `PS` (default) or another code of section 3.4; `paymentMethod`?',
    does: 'ends it at the terminal, or refunds it at the point of sale',
    answer({ simulation }, request) {
      const id = pathPart(request, 'serviceTransactionId');
      const { status, paymentMethod } = readBody(finishBody, request);
      finishPos(simulation, id, status, { paymentMethod });
      return json(posView(simulation, id));
    },
  },
  {
    method: 'GET',
    path: '/qr',
    does: 'lists QR codes and their purchases',
    answer: ({ simulation }) =>
      json({
        codes: Object.values(simulation.world.qr.codes).map(withInstant),
        payments: simulation.world.qr.payments.map((payment) => ({
          ...payment,
          paidAt: formatInstant(payment.paidAt),
        })),
      }),
  },
  {
    method: 'POST',
    path: '/qr/:operationUuid/pay',
    takes: '`times` (1), `channel` (`service`)',
    does: 'pays the code as customers',
    answer({ simulation }, request) {
      const transactionIds = payQr(simulation, pathPart(request, 'operationUuid'), readBody(payBody, request));
      return json({ transactionIds });
    },
  },
  {
    method: 'GET',
    path: '/wallets',
    does: 'lists linked wallets, and waiting links with their one-time codes',
    answer: ({ simulation }) => json(walletsOf(simulation)),
  },
  {
    method: 'POST',
    path: '/wallet-links/:sessionId/confirm',
    does: 'confirms an account linking with its one-time code; returns the tracking id',
    answer({ simulation }, request) {
      readNothing(request);
      return json({ trackingId: confirmLink(simulation, pathPart(request, 'sessionId')) });
    },
  },
];

function posView(simulation: Simulation, id: string): unknown {
  const transaction = posTransactionOf(simulation, id);
  if (transaction === undefined) throw new AppError('not_found', { thing: 'POS transaction', id });
  return withInstant(transaction);
}

/** Describes the wallets without sessions and tokens, which are secrets of the integrator. */
function walletsOf({ world }: Simulation): unknown {
  const { wallets, links } = world.wallet;
  return {
    wallets: Object.values(wallets).map((wallet) => ({ ...wallet, operations: wallet.operations.map(withInstant) })),
    links: Object.values(links).map((link) => ({ ...link, expiresAt: formatInstant(link.expiresAt) })),
  };
}

function withInstant<T extends { readonly createdAt: number }>(one: T): Omit<T, 'createdAt'> & { createdAt: string } {
  return { ...one, createdAt: formatInstant(one.createdAt) };
}
