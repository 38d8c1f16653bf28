import { AppError, millimes } from '../../kernel';
import { FieldCheck } from '../core/field-check';
import type { SimOperation } from '../core/operation';
import type { Simulation } from '../core/simulation';
import { checkPhoneNumber } from './named-wallet';
import type { SimWallet } from './wallet-state';

const CODE_LIFE_MS = 600_000;
const CODE_DIGITS = 6;
const CODE_MAX = 999_999;
/** The balance of a wallet that is linked later. */
const OPENING_BALANCE = millimes(100_000);
const NAMES = ['Amine Jaziri', 'Ines Mansour', 'Karim Bouaziz', 'Nour Haddad', 'Yasmine Chebbi'] as const;

/**
 * Initiate Account Linking (interface section 4.3). Every phone number has a customer. The control API shows the
 * one-time code, as the customer's telephone would.
 */
export const initiateLink: SimOperation = {
  name: 'wallet.initiateLink',
  method: 'POST',
  path: '/partners/accounts/initiate_link_account',
  auth: 'app',
  answer(simulation, request) {
    const check = FieldCheck.ofBody(request);
    const phoneNumber = checkPhoneNumber(check);
    const refusal = check.refusal();
    if (refusal !== undefined) return refusal;
    const { world, random } = simulation;
    const sessionId = simulation.newUuid();
    const name = walletOfPhone(simulation, phoneNumber)?.name ?? random.pick(NAMES);
    world.wallet.links[sessionId] = {
      sessionId,
      phoneNumber,
      name,
      code: String(random.int(0, CODE_MAX)).padStart(CODE_DIGITS, '0'),
      expiresAt: simulation.now() + CODE_LIFE_MS,
      trackingId: null,
    };
    simulation.record('wallet.link_initiated', { sessionId });
    return {
      status: 200,
      body: { success: true, session_id: sessionId, name, phone_number: phoneNumber, message: 'One-time code sent' },
    };
  },
};

/**
 * Confirms a link with the customer's one-time code. The interface does not show that call (open point 69), so only the
 * control API links a wallet. A phone number that was linked before keeps its tracking id.
 *
 * @returns the tracking id of the wallet.
 * @throws AppError `not_found` for an unknown session, `conflict` when its code was used or is too old.
 */
export function confirmLink(simulation: Simulation, sessionId: string): string {
  const { links, wallets } = simulation.world.wallet;
  const link = Object.hasOwn(links, sessionId) ? links[sessionId] : undefined;
  if (link === undefined) throw new AppError('not_found', { thing: 'account linking', id: sessionId });
  if (link.trackingId !== null) {
    throw new AppError('simulated_state', { fault: 'the one-time code was already used; initiate another linking' });
  }
  if (simulation.now() >= link.expiresAt) {
    throw new AppError('simulated_state', { fault: 'the one-time code has expired; initiate another linking' });
  }
  const wallet = walletOfPhone(simulation, link.phoneNumber) ?? {
    walletId: simulation.newId('w_'),
    phoneNumber: link.phoneNumber,
    trackingId: simulation.newUuid(),
    name: link.name,
    balanceMillimes: OPENING_BALANCE,
    operations: [],
  };
  wallets[wallet.trackingId] = wallet;
  link.trackingId = wallet.trackingId;
  simulation.record('wallet.linked', { sessionId, trackingId: wallet.trackingId });
  return wallet.trackingId;
}

function walletOfPhone({ world }: Simulation, phoneNumber: string): SimWallet | undefined {
  return Object.values(world.wallet.wallets).find((wallet) => wallet.phoneNumber === phoneNumber);
}
