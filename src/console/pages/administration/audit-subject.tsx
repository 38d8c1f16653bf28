import type { VNode } from 'preact';
import type { Scope } from '../../../identity';
import type { Visit } from '../../page/page';
import { Id } from '../../parts/values';
import { to, withQuery } from '../../web/own-path';

/** The pages of the things that audit records name, each with the scope that opens it. */
const PAGES: Readonly<Record<string, readonly [path: `/${string}`, scope: Scope]>> = {
  agent: ['/agents', 'agents:lookup'],
  payment: ['/payments', 'payments:read'],
  subscription: ['/subscriptions', 'payments:read'],
  break: ['/breaks', 'breaks:read'],
  line: ['/credits', 'reconciliation:read'],
  day: ['/days', 'days:read'],
  run: ['/runs', 'reconciliation:read'],
  statement: ['/bank/statements', 'statements:read'],
  webhook: ['/webhooks', 'webhooks:read'],
  user: ['/users', 'users:manage'],
};

/** The thing of an audit record: its kind in plain words and its id, which opens it, or all records about it. */
export function Subject({ visit: { texts, can }, subject }: { visit: Visit; subject: string }): VNode {
  const colon = subject.indexOf(':');
  const kind = colon < 0 ? subject : subject.slice(0, colon);
  const id = colon < 0 ? '' : subject.slice(colon + 1);
  const label = texts.find(`administration:subject.${kind}`) ?? kind;
  const page = PAGES[kind];
  if (id === '') return <>{label}</>;
  const isOpen = page !== undefined && can(page[1]);
  return (
    <span class="two-lines">
      <a href={isOpen ? to(page[0], id) : withQuery(to('/audit'), { subject })}>
        <Id>{id}</Id>
      </a>
      <small>{label}</small>
    </span>
  );
}
