import type { VNode } from 'preact';
import type { Json } from '../../../api';
import type { Page, Visit } from '../../page/page';
import { ActionForm } from '../../parts/forms';
import { ProblemBox } from '../../parts/problem-box';
import { Pager, Panel, Table } from '../../parts/table';
import { Id, Moment, Money, State } from '../../parts/values';
import { to, withQuery } from '../../web/own-path';
import { DuesPanel } from './dues-panel';
import { PaymentSteps } from './payment-steps';

type Agent = Json<'showAgent'>;
type Movements = Json<'listAgentMovements'>;

/** An agent: what is due in large type, each payment in three steps, the dues. With `agents:read` also the account. */
export const AGENT_PAGE: Page = {
  path: '/agents/:agentId',
  scope: 'agents:lookup',
  async show(visit) {
    const { agentId = '' } = visit.params;
    const { payments: cursor, movements: after } = visit.query;
    const agent = await visit.call('showAgent', { params: { agentId } });
    const payments = await visit.call('listAgentPayments', { params: { agentId }, query: { limit: '20', cursor } });
    const dues = await visit.call('listDuesOfAgent', { params: { agentId }, query: { limit: '20' } });
    const movements = visit.can('agents:read')
      ? await visit.call('listAgentMovements', { params: { agentId }, query: { limit: '20', cursor: after } })
      : undefined;
    const title = agent.fullName === '' ? agentId : agent.fullName;
    return { title, body: <AgentView {...{ visit, agent, payments, dues, movements }} /> };
  },
  actions: {
    close: {
      scope: 'agents:write',
      async run(visit) {
        const { agentId = '' } = visit.params;
        await visit.call('closeAgent', { params: { agentId }, idempotencyKey: visit.form.value('once') });
        return { to: to('/agents', agentId), said: 'agents:said.closed' };
      },
    },
  },
};

interface AgentViewProps {
  readonly visit: Visit;
  readonly agent: Agent;
  readonly payments: Json<'listAgentPayments'>;
  readonly dues: Json<'listDuesOfAgent'>;
  readonly movements: Movements | undefined;
}

function AgentView({ visit, agent, payments, dues, movements }: AgentViewProps): VNode {
  const { texts, problem, query } = visit;
  const { t } = texts;
  const own = to('/agents', agent.agentId);
  return (
    <div class="agent">
      <ProblemBox texts={texts} problem={problem} />
      <Balance visit={visit} agent={agent} />
      <Panel title={t('agents:payments.title')}>
        {payments.data.length === 0 ? <p class="empty">{t('agents:payments.none')}</p> : null}
        <ol class="steps-list">
          {payments.data.map((payment) => (
            <PaymentSteps texts={texts} payment={payment} canOpen={visit.can('payments:read')} />
          ))}
        </ol>
        <Pager
          texts={texts}
          hasMore={payments.hasMore}
          next={withQuery(own, { payments: payments.nextCursor ?? '' })}
          first={query['payments'] === undefined ? undefined : own}
        />
      </Panel>
      <DuesPanel visit={visit} dues={dues} owedMillimes={agent.dueMillimes} />
      {movements === undefined ? null : <AccountPanel visit={visit} own={own} movements={movements} />}
      {visit.can('agents:write') && agent.status === 'open' ? <ClosePanel visit={visit} /> : null}
      <p>
        <a class="button" href={to('/agents/search')}>
          {t('common:action.newSearch')}
        </a>
      </p>
    </div>
  );
}

function Balance({ visit: { texts, now }, agent }: { visit: Visit; agent: Agent }): VNode {
  const { t } = texts;
  const { agentId, phone, status, erasedAt, dueMillimes, creditMillimes } = agent;
  return (
    <section class="balance">
      <p class="line">
        <Id>{agentId}</Id>
        {phone === '' ? <span>{t('agents:noPhone')}</span> : <Id>{phone}</Id>}
        <State texts={texts} list="agentStatus" code={status} tone={status === 'open' ? 'good' : 'bad'} />
        {erasedAt === null ? null : <span>{t('agents:erased', { date: texts.instant(erasedAt) })}</span>}
      </p>
      <dl>
        <dt>{t('agents:due')}</dt>
        <dd class="large">
          <Money texts={texts} of={dueMillimes} />
        </dd>
        {creditMillimes > 0 ? (
          <>
            <dt>{t('agents:credit')}</dt>
            <dd class="large">
              <Money texts={texts} of={creditMillimes} />
            </dd>
          </>
        ) : null}
      </dl>
      <p class="hint">{t('agents:asOf', { instant: texts.instant(now) })}</p>
    </section>
  );
}

function AccountPanel({ visit, own, movements }: { visit: Visit; own: string; movements: Movements }): VNode {
  const { texts, query } = visit;
  const { t } = texts;
  return (
    <Panel title={t('agents:statement.title')}>
      <Table
        caption={t('agents:statement.title')}
        rows={movements.data}
        empty={t('agents:statement.none')}
        columns={[
          { label: t('common:field.at'), cell: ({ occurredAt }) => <Moment texts={texts} of={occurredAt} /> },
          { label: t('agents:statement.what'), isHead: true, cell: ({ code }) => texts.word('ledgerCode', code) },
          { label: t('common:field.reference'), cell: ({ reference }) => <Id>{reference}</Id> },
          {
            label: t('common:field.amount'),
            isNumber: true,
            cell: ({ amountMillimes }) => <Money texts={texts} of={amountMillimes} />,
          },
          {
            label: t('agents:statement.balance'),
            isNumber: true,
            cell: ({ balanceMillimes }) => <Money texts={texts} of={balanceMillimes} />,
          },
        ]}
      />
      <Pager
        texts={texts}
        hasMore={movements.hasMore}
        next={withQuery(own, { movements: movements.nextCursor ?? '' })}
        first={query['movements'] === undefined ? undefined : own}
      />
    </Panel>
  );
}

function ClosePanel({ visit }: { visit: Visit }): VNode {
  const { t } = visit.texts;
  return (
    <details class="panel">
      <summary>{t('agents:close.title')}</summary>
      <p>{t('agents:close.what')}</p>
      <ActionForm visit={visit} action="close">
        <button class="danger">{t('agents:close.submit')}</button>
      </ActionForm>
    </details>
  );
}
