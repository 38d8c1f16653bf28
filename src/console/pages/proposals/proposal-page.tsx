import type { VNode } from 'preact';
import type { Json } from '../../../api';
import type { Page, Visit } from '../../page/page';
import { nothingHere } from '../../page/problem';
import { AsOf } from '../../parts/cut-off';
import { ActionForm, Field } from '../../parts/forms';
import { faultOf, ProblemBox } from '../../parts/problem-box';
import { Panel, Table } from '../../parts/table';
import { Day, Fact, Facts, Id, Moment, Money, None, Said, Sign } from '../../parts/values';
import { to } from '../../web/own-path';
import { accountText, EffectFacts, EffectView } from './effect-view';

type Proposal = Json<'showProposal'>;

/** A proposal: its effect before the decision, and the decision of another person. */
export const PROPOSAL_PAGE: Page = {
  path: '/proposals/:proposalId',
  scope: 'breaks:read',
  async show(visit) {
    const { proposalId = '' } = visit.params;
    const proposal = await visit.call('showProposal', { params: { proposalId } });
    const title = visit.texts.t('breaks:proposal.title', { action: visit.texts.word('action', proposal.action.kind) });
    return { title, body: <ProposalView visit={visit} proposal={proposal} />, isWide: true };
  },
  actions: {
    approve: {
      scope: 'breaks:decide',
      needsProof: true,
      async run(visit) {
        const { proposalId = '' } = visit.params;
        const reason = visit.form.value('reason').trim();
        const body = reason === '' ? {} : { reason };
        await visit.call('approveProposal', { params: { proposalId }, body, idempotencyKey: visit.form.value('once') });
        return { to: to('/proposals', proposalId), said: 'breaks:said.approved' };
      },
    },
    reject: {
      scope: 'breaks:work',
      needsProof: true,
      run: (visit) => rejected(visit, 'breaks:said.rejected'),
    },
    withdraw: {
      scope: 'breaks:work',
      async run(visit) {
        const { proposalId = '' } = visit.params;
        const { proposedBy } = await visit.call('showProposal', { params: { proposalId } });
        if (proposedBy !== visit.session.user.name) throw nothingHere('proposal', proposalId);
        return rejected(visit, 'breaks:said.withdrawn');
      },
    },
  },
};

async function rejected(visit: Visit, said: 'breaks:said.rejected' | 'breaks:said.withdrawn') {
  const { proposalId = '' } = visit.params;
  const body = { reason: visit.form.value('reason') };
  await visit.call('rejectProposal', { params: { proposalId }, body, idempotencyKey: visit.form.value('once') });
  return { to: to('/proposals', proposalId), said };
}

interface Of {
  readonly visit: Visit;
  readonly proposal: Proposal;
}

function ProposalView({ visit, proposal }: Of): VNode {
  const { texts, now, problem } = visit;
  return (
    <>
      <AsOf texts={texts} now={now} />
      <ProblemBox texts={texts} problem={problem} />
      <div class="columns even">
        <div class="stack">
          <Wish visit={visit} proposal={proposal} />
          <Lines visit={visit} proposal={proposal} />
        </div>
        <div class="stack">
          {proposal.decision === null ? (
            <Decide visit={visit} proposal={proposal} />
          ) : (
            <Decided {...{ visit, proposal }} />
          )}
        </div>
      </div>
    </>
  );
}

/** What is proposed, by whom and why. */
function Wish({ visit: { texts }, proposal }: Of): VNode {
  const { t } = texts;
  const { amountMillimes, account, direction, reason, breakId } = proposal;
  return (
    <Panel title={texts.word('action', proposal.action.kind)}>
      <p class="line">
        <span class="large">{amountMillimes === null ? <None /> : <Money texts={texts} of={amountMillimes} />}</span>
        {direction === null ? null : <span>{texts.word('direction', direction)}</span>}
      </p>
      <p class="quote">
        <Said>{reason}</Said>
      </p>
      <Facts>
        <Fact name={t('breaks:proposals.by')}>
          <bdi>{proposal.proposedBy}</bdi>
        </Fact>
        <Fact name={t('common:field.at')}>
          <Moment texts={texts} of={proposal.proposedAt} />
        </Fact>
        {account === null ? null : <Fact name={t('common:field.account')}>{accountText(texts, account)}</Fact>}
        {breakId === null || proposal.class === null ? null : (
          <Fact name={t('breaks:proposal.break')}>
            <a href={to('/breaks', breakId)}>{texts.word('breakClass', proposal.class)}</a>
          </Fact>
        )}
      </Facts>
    </Panel>
  );
}

/** The lines of the bank that the action is about. */
function Lines({ visit, proposal: { lines } }: Of): VNode | null {
  const { texts } = visit;
  const { t } = texts;
  if (lines.length === 0) return null;
  return (
    <Panel title={t('breaks:rows.bank')}>
      <Table
        caption={t('breaks:rows.bank')}
        rows={lines}
        empty={null}
        columns={[
          {
            label: t('credits:bookedOn'),
            isHead: true,
            cell: ({ lineId, bookingDate }) =>
              visit.can('reconciliation:read') ? (
                <a href={to('/credits', lineId)}>
                  <Day texts={texts} of={bookingDate} />
                </a>
              ) : (
                <Day texts={texts} of={bookingDate} />
              ),
          },
          {
            label: t('common:field.amount'),
            isNumber: true,
            cell: ({ amountMillimes }) => <Money texts={texts} of={amountMillimes} />,
          },
          {
            label: t('credits:bankText'),
            cell: ({ counterparty, remittance }) => <Said>{remittance === '' ? counterparty : remittance}</Said>,
          },
        ]}
      />
    </Panel>
  );
}

function Decide({ visit, proposal }: Of): VNode {
  const { texts, session } = visit;
  const { t } = texts;
  const { effect, refusal, refusedBecause, proposedBy } = proposal;
  const isMine = proposedBy === session.user.name;
  const canDecide = visit.can('breaks:decide') && !isMine;
  return (
    <Panel title={t('breaks:effect.title')}>
      {effect === null ? null : <EffectFacts texts={texts} effect={effect} />}
      {effect === null ? null : <EffectView texts={texts} effect={effect} />}
      {refusal === null ? null : (
        <p class="problem">{(refusedBecause === null ? undefined : texts.problemDetail(refusedBecause)) ?? refusal}</p>
      )}
      {canDecide ? <DecideForms visit={visit} proposal={proposal} /> : null}
      {isMine ? <WithdrawForm visit={visit} /> : null}
      {canDecide || isMine ? null : <p class="aside">{t('breaks:proposal.needsApprover')}</p>}
    </Panel>
  );
}

function DecideForms({ visit, proposal: { effect, amountMillimes } }: Of): VNode {
  const { texts } = visit;
  const { t } = texts;
  const approve =
    amountMillimes === null
      ? texts.t('breaks:proposal.approve')
      : t('breaks:proposal.approveAmount', { amount: texts.money(amountMillimes) });
  return (
    <>
      {effect === null ? null : (
        <ActionForm visit={visit} action="approve" label={approve}>
          <Reason visit={visit} action="approve" isOptional />
          <p class="actions">
            <button class="main">{approve}</button>
          </p>
        </ActionForm>
      )}
      <details class="step" open={effect === null || visit.form.value('action') === 'reject'}>
        <summary>{t('breaks:proposal.reject')}</summary>
        <ActionForm visit={visit} action="reject" label={t('breaks:proposal.reject')}>
          <Reason visit={visit} action="reject" />
          <p class="actions">
            <button class="danger">{t('breaks:proposal.reject')}</button>
          </p>
        </ActionForm>
      </details>
    </>
  );
}

function WithdrawForm({ visit }: { visit: Visit }): VNode | null {
  const { t } = visit.texts;
  if (!visit.can('breaks:work')) return null;
  return (
    <>
      <p class="note">{t('breaks:proposal.own')}</p>
      <details class="step" open={visit.form.value('action') === 'withdraw'}>
        <summary>{t('breaks:proposal.withdraw')}</summary>
        <ActionForm visit={visit} action="withdraw" label={t('breaks:proposal.withdraw')}>
          <Reason visit={visit} action="withdraw" />
          <p class="actions">
            <button class="danger">{t('breaks:proposal.withdraw')}</button>
          </p>
        </ActionForm>
      </details>
    </>
  );
}

function Reason({ visit, action, isOptional }: { visit: Visit; action: string; isOptional?: boolean }): VNode {
  const { texts, form, problem } = visit;
  const { t } = texts;
  const isOwn = form.value('action') === action;
  const label = t('common:field.reason');
  return (
    <Field
      name="reason"
      within={action}
      label={isOptional === true ? `${label} (${t('common:field.optional')})` : label}
      value={isOwn ? form.value('reason') : ''}
      maxLength={500}
      fault={isOwn ? faultOf(problem, 'reason') : undefined}
      isRequired={isOptional !== true}
    />
  );
}

function Decided({ visit: { texts }, proposal: { decision } }: Of): VNode | null {
  const { t } = texts;
  if (decision === null) return null;
  const { outcome, reason, decidedBy, decidedAt, amountMillimes, postedAs } = decision;
  return (
    <Panel title={t('breaks:proposal.decision')}>
      <p>
        <Sign tone={outcome === 'approved' ? 'good' : 'plain'}>{texts.word('proposalOutcome', outcome)}</Sign>
      </p>
      <Facts>
        <Fact name={t('breaks:proposals.decidedBy')}>
          <bdi>{decidedBy}</bdi>
        </Fact>
        <Fact name={t('common:field.at')}>
          <Moment texts={texts} of={decidedAt} />
        </Fact>
        {reason === null ? null : (
          <Fact name={t('common:field.reason')}>
            <Said>{reason}</Said>
          </Fact>
        )}
        {amountMillimes === null ? null : (
          <Fact name={t('breaks:proposal.posted')}>
            <Money texts={texts} of={amountMillimes} />
          </Fact>
        )}
        {postedAs === null ? null : (
          <Fact name={t('common:field.reference')}>
            <Id>{postedAs}</Id>
          </Fact>
        )}
      </Facts>
    </Panel>
  );
}
