import type { VNode } from 'preact';
import type { Json } from '../../../api';
import { kindOf, type Texts, type WordList } from '../../../texts';
import { Day, Id, Moment, Money, None } from '../../parts/values';

type AuditRecord = Json<'listAuditRecords'>['data'][number];
type Value = AuditRecord['detail'][string];

/** The lists of the codes in details; several codes stand with spaces between them. */
const LISTS: Readonly<Record<string, WordList>> = {
  roles: 'role',
  rolesBefore: 'role',
  scopes: 'scope',
  verdict: 'verdict',
  family: 'webhookFamily',
  resolution: 'resolution',
  action: 'action',
};

/** What is said first; the rest is for those who look closer. */
const FIRST = ['reason', 'name', 'amountMillimes', 'roles', 'rolesBefore', 'reference', 'assignee', 'rows', 'address'];

/** The facts of an audit record: the reason first, all others on demand. */
export function Detail({ texts, record }: { texts: Texts; record: AuditRecord }): VNode {
  const facts = Object.entries(record.detail).filter(([, value]) => value !== null && value !== '');
  const first = FIRST.flatMap((name) => facts.filter(([each]) => each === name));
  const rest = facts.filter(([name]) => !FIRST.includes(name));
  if (facts.length === 0 && record.requestId === null) return <None />;
  return (
    <>
      <span class="pieces">
        {first.map(([name, value]) => (
          <span>
            <small>{labelOf(texts, name)}</small> {shown(texts, name, value)}
          </span>
        ))}
      </span>
      {rest.length === 0 && record.requestId === null ? null : (
        <details>
          <summary>{texts.t('administration:audit.more')}</summary>
          <dl class="small-facts">
            {rest.map(([name, value]) => (
              <div>
                <dt>{labelOf(texts, name)}</dt>
                <dd>{shown(texts, name, value)}</dd>
              </div>
            ))}
            {record.requestId === null ? null : (
              <div>
                <dt>{texts.t('administration:audit.request')}</dt>
                <dd>
                  <Id>{record.requestId}</Id>
                </dd>
              </div>
            )}
          </dl>
        </details>
      )}
    </>
  );
}

function labelOf(texts: Texts, name: string): string {
  return texts.find(`administration:detail.${name}`) ?? name;
}

function shown(texts: Texts, name: string, value: Value): VNode {
  const list = LISTS[name];
  const text = String(value ?? '');
  const kind = kindOf(name, text);
  if (kind === 'amount') return <Money texts={texts} of={text} />;
  if (typeof value === 'number') return <>{texts.count(value)}</>;
  if (list !== undefined) {
    return <>{texts.list(text.split(' ').map((code) => texts.word(list, code)))}</>;
  }
  if (kind === 'day') return <Day texts={texts} of={text} />;
  if (kind === 'instant') return <Moment texts={texts} of={text} />;
  return name === 'reason' || name === 'name' ? <bdi>{text}</bdi> : <Id>{text}</Id>;
}
