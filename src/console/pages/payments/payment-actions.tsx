import type { VNode } from 'preact';
import type { Json } from '../../../api';
import { OutcomeRefused } from '../../page/outcome-refused';
import type { Action, Shown, Visit } from '../../page/page';
import { typedAmount } from '../../page/typed-amount';
import { ActionForm, Field } from '../../parts/forms';
import { faultOf } from '../../parts/problem-box';
import { Panel, Table } from '../../parts/table';
import { Fact, Facts, Id, Moment, Money, None, State, Writer } from '../../parts/values';
import { to } from '../../web/own-path';

type ShownPayment = Json<'showPayment'>;
type Attempt = Extract<ShownPayment, { source: 'attempt' }>;
type Kind = 'capture' | 'cancel' | 'refund';
type Operation = Attempt['operations'][number];

const PATH = '/payments';

/** What may be done with an attempt in the state of its progress. */
const KINDS_OF: Readonly<Partial<Record<string, readonly Kind[]>>> = {
  held: ['capture', 'cancel'],
  paid: ['refund'],
};

/** The actions of the page of a payment. Each of those that move money is first shown as a dry run. */
export const PAYMENT_ACTIONS: Readonly<Record<string, Action>> = {
  verify: {
    scope: 'payments:write',
    async run({ params: { id = '' }, form, call }) {
      const { kind } = await call('verifyPayment', { params: { id }, idempotencyKey: form.value('once') });
      const said = { looked: 'payments:said.looked', later: 'payments:said.later' } as const;
      return { to: to(PATH, id), said: kind === 'nothing_to_ask' ? 'payments:said.nothingToAsk' : said[kind] };
    },
  },
  'preview-capture': { scope: 'payments:refund', run: (visit) => preview(visit, 'capture') },
  'preview-cancel': { scope: 'payments:refund', run: (visit) => preview(visit, 'cancel') },
  'preview-refund': { scope: 'payments:refund', run: (visit) => preview(visit, 'refund') },
  capture: decision('capture'),
  cancel: decision('cancel'),
  refund: decision('refund'),
};

function decision(kind: Kind): Action {
  return {
    scope: 'payments:refund',
    needsProof: true,
    async run(visit) {
      const { kind: outcome } = await operate(visit, kind, { dryRun: false });
      const { id = '' } = visit.params;
      return { to: to(PATH, id), said: outcome === 'unknown' ? 'payments:said.unknown' : `payments:said.${kind}` };
    },
  };
}

function operate(visit: Visit, kind: Kind, { dryRun }: { dryRun: boolean }): Promise<Json<'refundPayment'>> {
  const { params, form, texts, call } = visit;
  const asked = { params: { id: params['id'] ?? '' }, dryRun, idempotencyKey: form.value('once') };
  if (kind !== 'capture') return call(kind === 'cancel' ? 'cancelPayment' : 'refundPayment', asked);
  const amountMillimes = typedAmount(texts, 'amount', form.value('amount'));
  return call('capturePayment', { ...asked, body: amountMillimes === undefined ? {} : { amountMillimes } });
}

/** Shows what an operation will do, and asks for the decision. */
async function preview(visit: Visit, kind: Kind): Promise<Shown> {
  const { texts, form } = visit;
  const { t } = texts;
  const { payment } = await operate(visit, kind, { dryRun: true });
  const typed = kind === 'capture' ? typedAmount(texts, 'amount', form.value('amount')) : undefined;
  const amount = typed ?? payment.amountMillimes;
  if (amount > payment.amountMillimes) throw new OutcomeRefused('amount', t('payments:operation.tooMuch'));
  const rest = kind === 'capture' ? payment.amountMillimes - amount : 0;
  const body = (
    <Panel title={t('payments:operation.effect')}>
      <Facts>
        <Fact name={t(`payments:operation.${kind}.amount`)}>
          <span class="large">
            <Money texts={texts} of={amount} />
          </span>
        </Fact>
        {rest === 0 ? null : (
          <Fact name={t('payments:operation.released')}>
            <Money texts={texts} of={rest} />
          </Fact>
        )}
        <Fact name={t('payments:field.payment')}>
          <Id>{payment.reference ?? payment.trackingId}</Id>
        </Fact>
      </Facts>
      <p>{t(`payments:operation.${kind}.what`)}</p>
      <p>{t('payments:operation.once')}</p>
      <ActionForm visit={visit} action={kind}>
        <input type="hidden" name="amount" value={form.value('amount')} />
        <p class="actions">
          <button class={kind === 'capture' ? 'main' : 'danger'}>{t(`payments:operation.${kind}.submit`)}</button>
          <a href={to(PATH, visit.params['id'] ?? '')}>{t('common:action.discard')}</a>
        </p>
      </ActionForm>
    </Panel>
  );
  return { title: t(`payments:operation.${kind}.title`), body };
}

/** What may be done with a payment, and what was done. */
export function Decisions({ visit, payment }: { visit: Visit; payment: ShownPayment }): VNode | null {
  if (payment.source !== 'attempt') return null;
  const { t } = visit.texts;
  const kinds = visit.can('payments:refund') ? (KINDS_OF[payment.progress.code] ?? []) : [];
  const open = kinds.filter((kind) => !payment.operations.some((each) => isInTheWay(each, kind)));
  const mayVerify = visit.can('payments:write');
  if (!mayVerify && open.length === 0 && payment.operations.length === 0) return null;
  return (
    <Panel title={t('payments:operation.title')}>
      <div class="choices">
        {mayVerify ? (
          <ActionForm visit={visit} action="verify">
            <p class="hint">{t('payments:verify.what')}</p>
            <p class="actions">
              <button>{t('payments:verify.submit')}</button>
            </p>
          </ActionForm>
        ) : null}
        {open.map((kind) => (
          <ActionForm visit={visit} action={`preview-${kind}`}>
            {kind === 'capture' ? <CaptureAmount visit={visit} /> : null}
            <p class="hint">{t(`payments:operation.${kind}.what`)}</p>
            <p class="actions">
              <button>{t(`payments:operation.${kind}.preview`)}</button>
            </p>
          </ActionForm>
        ))}
      </div>
      {payment.operations.length === 0 ? null : <Operations visit={visit} operations={payment.operations} />}
    </Panel>
  );
}

/** Of captures and cancels one may be sent, and one refund; a refused one may be repeated. */
function isInTheWay({ kind, state }: Operation, wanted: Kind): boolean {
  return state !== 'refused' && (kind === 'refund') === (wanted === 'refund');
}

function CaptureAmount({ visit: { texts, form, problem } }: { visit: Visit }): VNode {
  return (
    <Field
      name="amount"
      label={texts.t('payments:operation.capture.amount')}
      hint={texts.t('payments:operation.capture.amountHint')}
      inputMode="decimal"
      value={form.value('amount')}
      fault={faultOf(problem, 'amount') ?? faultOf(problem, 'amountMillimes')}
    />
  );
}

const OPERATION_TONES = { sending: 'wait', done: 'good', refused: 'bad', unknown: 'warn' } as const;

function Operations({ visit: { texts }, operations }: { visit: Visit; operations: readonly Operation[] }): VNode {
  const { t, word } = texts;
  return (
    <Table
      caption={t('payments:operation.done')}
      isCaptionShown
      rows={operations}
      empty={t('common:state.none')}
      columns={[
        { label: t('common:field.date'), cell: ({ requestedAt }) => <Moment texts={texts} of={requestedAt} /> },
        { label: t('payments:operation.kind'), isHead: true, cell: ({ kind }) => word('operationKind', kind) },
        {
          label: t('common:field.state'),
          cell: ({ state, error }) => (
            <>
              <State texts={texts} list="operationState" code={state} tone={OPERATION_TONES[state]} />{' '}
              {error === null ? null : <bdi>{error}</bdi>}
            </>
          ),
        },
        { label: t('common:field.actor'), cell: ({ requestedBy }) => <Writer texts={texts} of={requestedBy} /> },
        {
          label: t('common:field.amount'),
          isNumber: true,
          cell: ({ amountMillimes }) =>
            amountMillimes === null ? <None /> : <Money texts={texts} of={amountMillimes} />,
        },
      ]}
    />
  );
}
