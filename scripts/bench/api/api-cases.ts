import { idText } from './book-sql';

/** A request whose reading is bounded. */
export interface ApiCase {
  readonly name: string;
  readonly path: string;
  /** Of a search. */
  readonly body?: unknown;
  /** The rows that the database may read for it, whatever the size of the books. */
  readonly rowsMax: number;
}

/** A page examines 2,000 rows of its list at most. The rest is what the key, its limits and the audit trail read. */
const PAGE = 2_100;
const SHOWN = 200;
/** Each of the four sources of payments is examined, and newer items are judged by 300 payouts. */
const PAYMENTS = 5 * PAGE;

/** Every list of the API, with the filters that select little, and the look-ups. */
export const API_CASES: readonly ApiCase[] = [
  { name: 'agents: rare word', path: '/agent-searches', body: { q: 'mbarek 777' }, rowsMax: 9_000 },
  { name: 'agents: common words', path: '/agent-searches', body: { q: 'salma ben' }, rowsMax: 9_000 },
  { name: 'agents: Arabic words', path: '/agent-searches', body: { q: 'سلمى علي' }, rowsMax: 9_000 },
  { name: 'agents: phone', path: '/agent-searches', body: { q: '21600' }, rowsMax: 9_000 },
  { name: 'agents: first page', path: `/agents?limit=${SHOWN}`, rowsMax: PAGE },
  { name: 'agents: who owe', path: `/agents?owing=true&limit=${SHOWN}`, rowsMax: PAGE },
  { name: 'agent', path: '/agents/A0000007', rowsMax: 50 },
  { name: 'dues of an agent', path: '/agents/A0000007/dues', rowsMax: PAGE },
  { name: 'statement of an agent', path: '/agents/A0000007/statement', rowsMax: PAGE },
  { name: 'payments of an agent', path: '/agents/A0000007/payments', rowsMax: PAGE },
  { name: 'payments: newest', path: `/payments?limit=${SHOWN}`, rowsMax: PAYMENTS },
  { name: 'payments of one agent', path: '/payments?agentId=A0000007', rowsMax: PAYMENTS },
  { name: 'payments of a reference', path: '/payments?reference=ORDER-7', rowsMax: PAYMENTS },
  { name: 'payments: failed', path: '/payments?status=FAILED', rowsMax: PAYMENTS },
  { name: 'payments: unknown outcome', path: '/payments?requestState=unknown', rowsMax: PAYMENTS },
  { name: 'payments of a channel', path: '/payments?channel=qr', rowsMax: PAYMENTS },
  { name: 'payments of an amount', path: '/payments?amountMillimes=1', rowsMax: PAYMENTS },
  { name: 'payments: returned', path: '/payments?state=returned', rowsMax: 8 * PAYMENTS },
  { name: 'payment by its id', path: '/payments/pay_4242', rowsMax: PAGE },
  { name: 'unpaid items', path: `/unpaid-items?limit=${SHOWN}`, rowsMax: PAGE },
  { name: 'unpaid items of an agent', path: '/unpaid-items?agentId=A0000007', rowsMax: PAGE },
  { name: 'unpaid items: late', path: '/unpaid-items?state=late&channel=agent', rowsMax: 5 * PAGE },
  { name: 'subscriptions', path: `/subscriptions?limit=${SHOWN}`, rowsMax: PAGE },
  { name: 'charges', path: `/subscriptions/${idText('S', 7)}/charges`, rowsMax: PAGE },
  { name: 'statements', path: `/statements?limit=${SHOWN}`, rowsMax: 3 * PAGE },
  { name: 'lines of a statement', path: `/statements/${idText('B', 0)}/lines?limit=${SHOWN}`, rowsMax: PAGE },
  { name: 'announced entries', path: '/announced-entries', rowsMax: PAGE },
  { name: 'credits: newest', path: `/credits?limit=${SHOWN}`, rowsMax: 4 * PAGE },
  { name: 'credits: waiting', path: '/credits?outcome=waiting', rowsMax: 4 * PAGE },
  { name: 'runs', path: `/runs?limit=${SHOWN}`, rowsMax: PAGE },
  { name: 'fee schedules', path: '/fee-schedules', rowsMax: PAGE },
  { name: 'breaks: open', path: `/breaks?limit=${SHOWN}`, rowsMax: 3 * PAGE },
  { name: 'breaks: large ones', path: '/breaks?minAmountMillimes=1999000', rowsMax: 3 * PAGE },
  { name: 'proposals', path: '/proposals', rowsMax: PAGE },
  { name: 'days', path: '/days', rowsMax: PAGE },
  { name: 'webhooks: newest', path: `/webhooks?limit=${SHOWN}`, rowsMax: PAGE },
  { name: 'webhooks: received', path: '/webhooks?state=received', rowsMax: PAGE },
  { name: 'webhooks of a payment', path: '/webhooks?paymentId=pay_4242', rowsMax: PAGE },
  { name: 'audit: newest', path: `/audit-records?limit=${SHOWN}`, rowsMax: PAGE + SHOWN },
  { name: 'audit of a subject', path: '/audit-records?subject=agent:4242', rowsMax: PAGE + SHOWN },
  { name: 'audit of an actor', path: '/audit-records?actor=unknown', rowsMax: PAGE + SHOWN },
  { name: 'keys', path: '/keys', rowsMax: PAGE },
  { name: 'service tokens', path: '/service-tokens', rowsMax: PAGE },
];
