import type { Role } from '../../../src/identity';
import { idText } from '../api/book-sql';

/** A page whose reading is bounded. */
export interface PageCase {
  /** The path in the list of pages. */
  readonly page: string;
  /** The address below `/console`. `{upload}`, `{proposal}` and `{user}` are known when the database is filled. */
  readonly address: string;
  readonly role: Role;
  /** The rows that the database may read for it, whatever the size of the books. */
  readonly rowsMax: number;
  /** More rows for each open break, which people work on, so that there are never many. */
  readonly perOpenBreak?: number;
}

/** The session, and a page without a list. */
const SMALL = 100;
/** A page examines 2,000 rows of its list at most. */
const LIST = 2_100;

const finance = (page: string, rowsMax: number, address = page, perOpenBreak = 0): PageCase => ({
  ...{ page, address, rowsMax, perOpenBreak },
  role: 'finance',
});
const admin = (page: string, rowsMax: number, address = page): PageCase => ({ page, address, rowsMax, role: 'admin' });

/** Every page of the console, and the filters that select little. */
export const PAGE_CASES: readonly PageCase[] = [
  finance('/', 1_500, '', 2),
  finance('/', 1_500, '?day=2025-09-01', 2),
  finance('/figures', LIST, '/figures', 2),
  finance('/reports', SMALL),
  finance('/exports', SMALL),
  { page: '/agents/search', address: '/agents/search', role: 'field', rowsMax: SMALL },
  finance('/agents', LIST),
  finance('/agents', LIST, '/agents?owing=true'),
  { page: '/agents/:agentId', address: '/agents/A0000007', role: 'field', rowsMax: LIST },
  finance('/agents/:agentId', LIST, '/agents/A0000007'),
  finance('/credits', 4 * LIST),
  finance('/credits', 4 * LIST, '/credits?outcome=waiting'),
  finance('/credits/:lineId', LIST, `/credits/${idText('N', 0)}`, 2),
  finance('/credits/:lineId', LIST, `/credits/${idText('N', 395)}`, 2),
  finance('/unpaid', LIST),
  finance('/unpaid', LIST, '/unpaid?agentId=A0000007'),
  finance('/breaks', 3 * LIST),
  finance('/breaks/:breakId', LIST, `/breaks/${idText('R', 5)}`),
  { page: '/proposals', address: '/proposals', role: 'approver', rowsMax: 3 * LIST },
  { page: '/proposals', address: '/proposals?show=decided', role: 'approver', rowsMax: LIST },
  { page: '/proposals/:proposalId', address: '/proposals/{proposal}', role: 'approver', rowsMax: 500 },
  finance('/payments', 5 * LIST),
  finance('/payments', 5 * LIST, '/payments?status=FAILED'),
  finance('/payments/new', SMALL),
  finance('/payments/:id', 2 * LIST, '/payments/pay_4242'),
  finance('/subscriptions', LIST),
  finance('/subscriptions/:id', LIST, `/subscriptions/${idText('S', 7)}`),
  finance('/imports/agents', SMALL),
  finance('/imports/dues', SMALL),
  finance('/imports/payments', SMALL),
  finance('/imports/subscriptions', SMALL),
  finance('/bank', 4 * LIST),
  finance('/bank/statements/:statementId', LIST, `/bank/statements/${idText('B', 0)}`),
  finance('/bank/import', SMALL),
  finance('/bank/uploads/:uploadId', SMALL, '/bank/uploads/{upload}'),
  finance('/bank/profiles', SMALL),
  finance('/days', 500),
  finance('/days/:date', LIST, '/days/2026-02-28'),
  finance('/runs', 500),
  finance('/runs/:runId', SMALL, `/runs/${idText('V', 7)}`),
  finance('/fees', SMALL),
  { page: '/webhooks', address: '/webhooks', role: 'operator', rowsMax: LIST },
  { page: '/webhooks', address: '/webhooks?state=received', role: 'operator', rowsMax: LIST },
  { page: '/webhooks/:id', address: `/webhooks/${idText('W', 42)}`, role: 'operator', rowsMax: 500 },
  { page: '/operations', address: '/operations', role: 'operator', rowsMax: 500 },
  admin('/audit', LIST),
  admin('/audit', LIST, '/audit?subject=agent:4242'),
  admin('/users', 500),
  admin('/users/:name', SMALL, '/users/{user}'),
  admin('/keys', 500),
  { page: '/tokens', address: '/tokens', role: 'operator', rowsMax: 500 },
  finance('/me', SMALL),
  finance('/me/notifications', SMALL),
  admin('/enroll', SMALL),
];
