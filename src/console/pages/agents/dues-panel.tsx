import type { VNode } from 'preact';
import type { Json } from '../../../api';
import type { Visit } from '../../page/page';
import { Panel } from '../../parts/table';
import { Id, Money, Sign } from '../../parts/values';

type Dues = Json<'listDuesOfAgent'>;
type Due = Dues['data'][number];

interface DuesPanelProps {
  readonly visit: Visit;
  /** The latest due date first. */
  readonly dues: Dues;
  /** What the agent owes in all. */
  readonly owedMillimes: number;
}

/** The dues of an agent with what is left of each. An agent owes one balance: payments cover the oldest dues first. */
export function DuesPanel({ visit: { texts }, dues, owedMillimes }: DuesPanelProps): VNode {
  const { t } = texts;
  const left = leftOf(dues.data, owedMillimes);
  return (
    <Panel title={t('agents:dues.title')}>
      {dues.data.length === 0 ? (
        <p class="empty">{t('agents:dues.none')}</p>
      ) : (
        <p class="hint">{t('agents:dues.order')}</p>
      )}
      <ul class="rows">
        {dues.data.map((due) => (
          <li>
            <span>
              <Id>{due.reference}</Id>
              <small>
                {due.cancelled === null
                  ? t('agents:dues.until', { date: texts.date(due.dueDate) })
                  : t('agents:dues.cancelled', { date: texts.instant(due.cancelled.at), reason: due.cancelled.reason })}
                {due.memo === '' ? null : (
                  <>
                    {' · '}
                    <bdi>{due.memo}</bdi>
                  </>
                )}
              </small>
            </span>
            <span class="at-end">
              <span class={due.cancelled === null ? undefined : 'struck'}>
                <Money texts={texts} of={due.amountMillimes} />
              </span>
              {due.cancelled === null ? <Left texts={texts} due={due} left={left.get(due) ?? 0} /> : null}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Left({ texts, due, left }: { texts: Visit['texts']; due: Due; left: number }): VNode {
  const { t } = texts;
  if (left === 0) return <Sign tone="good">{t('agents:dues.paid')}</Sign>;
  const amount = texts.money(left);
  return <Sign tone={left < due.amountMillimes ? 'wait' : 'plain'}>{t('agents:dues.left', { amount })}</Sign>;
}

/** Returns what is left of each due: what an agent owes is that of the latest dues. */
function leftOf(dues: readonly Due[], owedMillimes: number): ReadonlyMap<Due, number> {
  let owed = Math.max(0, owedMillimes);
  const left = new Map<Due, number>();
  for (const due of dues) {
    if (due.cancelled !== null) continue;
    const part = Math.min(owed, due.amountMillimes);
    left.set(due, part);
    owed -= part;
  }
  return left;
}
