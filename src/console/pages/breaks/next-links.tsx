import type { VNode } from 'preact';
import type { Scope } from '../../../identity';
import type { TextKey } from '../../../texts';
import type { Visit } from '../../page/page';
import { to } from '../../web/own-path';
import type { ShownBreak } from './break-history';

interface Link {
  readonly href: string;
  readonly label: TextKey;
  readonly scope: Scope;
}

const OF_CREDIT: readonly ShownBreak['class'][] = [
  'ambiguous_payout',
  'fee_unexplained',
  'amount_differs',
  'missing_in_book',
  'returned_payout',
];
const OF_STATEMENT: readonly ShownBreak['class'][] = ['missing_in_bank', 'statement_gap'];

/** The pages on which the next step with a break is taken. */
export function NextLinks({ visit, of }: { visit: Visit; of: ShownBreak }): VNode | null {
  const links = linksOf(of).filter(({ scope }) => visit.can(scope));
  if (links.length === 0) return null;
  return (
    <p class="actions">
      {links.map(({ href, label }) => (
        <a class="button" href={href}>
          {visit.texts.t(label)}
        </a>
      ))}
    </p>
  );
}

function linksOf({ class: breakClass, lineIds, itemIds, facts }: ShownBreak): Link[] {
  const [lineId] = lineIds;
  // A refused call made no payment.
  const paid = breakClass === 'paid_but_rejected' || itemIds.length !== 1 ? undefined : itemIds[0];
  const payment = facts['trackingId'] ?? paid;
  const { day } = facts;
  const links: Link[] = [];
  const add = (isWanted: boolean, href: string, label: TextKey, scope: Scope): void => {
    if (isWanted) links.push({ href, label, scope });
  };
  const isOfCredit = lineId !== undefined && OF_CREDIT.includes(breakClass);
  add(isOfCredit, to('/credits', lineId ?? ''), 'breaks:next.credit', 'reconciliation:read');
  add(OF_STATEMENT.includes(breakClass), to('/bank/import'), 'breaks:next.bankImport', 'statements:write');
  add(breakClass === 'statement_gap', to('/bank'), 'breaks:next.bank', 'statements:read');
  add(breakClass === 'missing_in_bank', to('/unpaid'), 'breaks:next.unpaid', 'reconciliation:read');
  add(breakClass === 'fee_unexplained', to('/fees'), 'breaks:next.fees', 'reconciliation:read');
  add(breakClass === 'paid_but_rejected', to('/agents/search'), 'breaks:next.agents', 'agents:lookup');
  add(day !== undefined, to('/days', String(day)), 'breaks:next.day', 'days:read');
  add(payment !== undefined, to('/payments', String(payment)), 'breaks:next.payment', 'payments:read');
  return links;
}
