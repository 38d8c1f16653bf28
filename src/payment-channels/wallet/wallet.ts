import { requireGateway, withGatewayFaults } from '../../attempts';
import type { WalletAccount } from '../../gateway';
import { type Actor, openAuditTrail, requireScope } from '../../identity';
import { AppError, formatInstant, type Instant, sha256Hex } from '../../kernel';
import type { PaymentsDeps } from '../../payments';
import type { PaymentChannels } from '../payment-channels';
import { requireMerchant } from '../qr/create-qr';

/** The maximum number of rows of a wallet's history that are shown. */
const WALLET_ROWS_MAX = 10_000;
const QR_ROWS_MAX = 10_000;

type WalletReads = Pick<
  PaymentChannels,
  'walletLink' | 'walletSession' | 'walletBalance' | 'walletHistory' | 'qrHistory'
>;

/**
 * Returns the calls that store nothing but an audit record: those about customers' wallets (interface section 4.3), and
 * the merchant's QR purchases (section 4.5).
 */
export function walletReads(deps: PaymentsDeps): WalletReads {
  return {
    walletLink: async (phoneNumber, actor) => {
      const { wallet } = requireGateway(deps);
      await recordRead(deps, actor, { action: 'wallet.link_requested', subject: 'wallet:new' });
      return withGatewayFaults(() => wallet.initiateLink({ phoneNumber }));
    },
    walletSession: async (account, actor) => {
      const { wallet } = requireGateway(deps);
      await recordRead(deps, actor, { action: 'wallet.session_opened', subject: subjectOf(account) });
      return withGatewayFaults(() => wallet.authenticate(account));
    },
    walletBalance: async (account, actor) => {
      const { wallet } = requireGateway(deps);
      await recordRead(deps, actor, { action: 'wallet.balance_read', subject: subjectOf(account) });
      return withGatewayFaults(() => wallet.balance(account));
    },
    walletHistory: async ({ from, until, ...account }, actor) => {
      const { wallet } = requireGateway(deps);
      requireForward(from, until);
      await recordRead(deps, actor, { action: 'wallet.history_read', subject: subjectOf(account) });
      const window = {
        ...(from === undefined ? {} : { from: formatInstant(from) }),
        ...(until === undefined ? {} : { to: formatInstant(until) }),
      };
      return withGatewayFaults(async () => {
        const operations = [];
        for await (const operation of wallet.history({ ...account, ...window })) {
          operations.push(operation);
          if (operations.length >= WALLET_ROWS_MAX) break;
        }
        return operations;
      });
    },
    qrHistory: async ({ from, until }) => {
      const { qr } = requireGateway(deps);
      requireForward(from, until);
      const merchantId = requireMerchant(deps.settings);
      const window = { startDate: formatInstant(from), endDate: formatInstant(until) };
      return withGatewayFaults(() => qr.history({ merchantId, ...window, size: QR_ROWS_MAX }));
    },
  };
}

function requireForward(from: Instant | undefined, until: Instant | undefined): void {
  if (from === undefined || until === undefined || from < until) return;
  throw new AppError('bad_input', { field: 'from', fault: 'is after the end of the period' });
}

/** Records a read before the call, so that none is without its record. */
async function recordRead(
  { database, clock }: PaymentsDeps,
  actor: Actor,
  { action, subject }: { readonly action: string; readonly subject: string },
): Promise<void> {
  requireScope(actor, 'payments:write');
  await database.transact((session) =>
    openAuditTrail(session).record({ at: clock.now(), actor, action, subject, detail: {} }),
  );
}

/** The audit trail is never rewritten, so it names a wallet by a digest, which a person with the id can compute. */
function subjectOf({ trackingId }: WalletAccount): string {
  return `wallet:${sha256Hex(trackingId)}`;
}
