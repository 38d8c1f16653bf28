import type { VNode } from 'preact';
import type { Json } from '../../../api';
import { MINUTE_MS, SECOND_MS } from '../../../kernel';
import type { TextKey } from '../../../texts';
import { OutcomeRefused } from '../../page/outcome-refused';
import type { Done, Page, SaidKey, Visit } from '../../page/page';
import { requiredText } from '../../page/required-text';
import { typedAmount } from '../../page/typed-amount';
import { ActionForm, Choice, Field } from '../../parts/forms';
import { faultOf, ProblemBox } from '../../parts/problem-box';
import { Panel } from '../../parts/table';
import { to, withQuery } from '../../web/own-path';

const PATH = '/payments/new';
const MAX_CHARACTERS = 2000;
const KINDS = ['link', 'terminal', 'qr'] as const;
type Kind = (typeof KINDS)[number];

const LABELS = {
  link: 'payments:new.link',
  terminal: 'payments:new.terminal',
  qr: 'payments:new.qr',
} as const satisfies Readonly<Record<Kind, TextKey>>;

/** Parts of other merchants are many values each: the API and the command line take them. */
const LINK_KINDS = ['standard', 'preauthorization', 'binding'] as const;
const METHODS = ['CARD', 'NFC', 'WALLET', 'CHECK'] as const;

type Requested = Json<'createPayment'>;
const SAID: Readonly<Record<Requested['kind'], SaidKey>> = {
  created: 'payments:said.created',
  existing: 'payments:said.existing',
  refused: 'payments:said.refused',
  unknown: 'payments:said.unknown',
  checked: 'payments:said.existing',
};

/** Asks a customer for money: a payment link, a payment at a terminal, or a QR code. */
export const NEW_PAYMENT_PAGE: Page = {
  path: PATH,
  scope: 'payments:write',
  menu: { group: 'money', label: 'common:menu.newPayment' },
  show: (visit) => {
    const { texts, query, problem } = visit;
    const kind = KINDS.find((each) => each === query['kind']) ?? 'link';
    const body = (
      <>
        <ProblemBox texts={texts} problem={problem} />
        <Tabs visit={visit} kind={kind} />
        <Panel title={texts.t(LABELS[kind])}>
          <p>{texts.t('payments:new.effect')}</p>
          <ActionForm visit={visit} action={kind} path={withQuery(to(PATH), { kind })} class="narrow">
            <OwnFields visit={visit} kind={kind} />
            <SharedFields visit={visit} />
            <p class="actions">
              <button class="main">{texts.t('payments:new.create')}</button>
            </p>
          </ActionForm>
        </Panel>
      </>
    );
    return Promise.resolve({ title: texts.t('common:menu.newPayment'), body });
  },
  actions: {
    link: {
      run: async (visit) => {
        const { form } = visit;
        const kind = LINK_KINDS.find((each) => each === form.value('kind')) ?? 'standard';
        const body = {
          ...sharedOf(visit),
          ...{ kind, clientId: typed(visit, 'clientId'), sessionTimeoutSecs: typedMinutes(visit) },
          ...{ successLink: typed(visit, 'successLink'), failLink: typed(visit, 'failLink') },
        };
        return done(await visit.call('createPayment', { body, idempotencyKey: form.value('once') }));
      },
    },
    terminal: {
      run: async (visit) => {
        const { form } = visit;
        const paymentMethod = METHODS.find((each) => each === form.value('paymentMethod')) ?? 'CARD';
        const idTerminal = requiredText(visit, 'idTerminal');
        const body = {
          ...{ idTerminal, serialNumber: requiredText(visit, 'serialNumber'), paymentMethod },
          ...sharedOf(visit),
        };
        return done(await visit.call('startPosPayment', { body, idempotencyKey: form.value('once') }));
      },
    },
    qr: {
      run: async (visit) => {
        const idempotencyKey = visit.form.value('once');
        return done(await visit.call('createQrCode', { body: sharedOf(visit), idempotencyKey }));
      },
    },
  },
};

/** The payment says by itself what the gateway answered. */
function done({ kind, payment }: Requested): Done {
  return { to: payment === null ? to('/payments') : to('/payments', payment.trackingId), said: SAID[kind] };
}

function sharedOf(visit: Visit) {
  const amount = typedAmount(visit.texts, 'amountMillimes', requiredText(visit, 'amountMillimes'));
  return { amountMillimes: Number(amount), reference: typed(visit, 'reference'), agentId: typed(visit, 'agentId') };
}

function typed({ form }: Visit, name: string): string | undefined {
  const value = form.value(name).trim();
  return value === '' ? undefined : value;
}

function typedMinutes(visit: Visit): number | undefined {
  const minutes = typed(visit, 'sessionTimeoutSecs');
  if (minutes === undefined) return undefined;
  if (!/^[1-9]\d{0,5}$/.test(minutes)) {
    throw new OutcomeRefused('sessionTimeoutSecs', visit.texts.t('common:form.notANumber'));
  }
  return (Number(minutes) * MINUTE_MS) / SECOND_MS;
}

function Tabs({ visit: { texts }, kind }: { visit: Visit; kind: Kind }): VNode {
  const { t } = texts;
  return (
    <nav class="views" aria-label={t('payments:new.kinds')}>
      {KINDS.map((each) => (
        <a href={withQuery(to(PATH), { kind: each })} aria-current={each === kind ? 'true' : undefined}>
          {t(LABELS[each])}
        </a>
      ))}
      <a href={to('/imports/payments')}>{t('common:menu.importPayments')}</a>
    </nav>
  );
}

function OwnFields({ visit, kind }: { visit: Visit; kind: Kind }): VNode | null {
  if (kind === 'qr') return null;
  return kind === 'link' ? <LinkFields visit={visit} /> : <TerminalFields visit={visit} />;
}

function LinkFields({ visit }: { visit: Visit }): VNode {
  const { t, word } = visit.texts;
  const field = fieldOf(visit);
  return (
    <>
      <Choice
        name="kind"
        label={t('payments:field.kind')}
        value={visit.form.value('kind') || 'standard'}
        options={LINK_KINDS.map((each) => [each, word('paymentKind', each)] as const)}
      />
      <details>
        <summary>{t('payments:new.more')}</summary>
        <Field {...field('clientId')} label={t('payments:new.clientId')} hint={t('payments:new.clientIdHint')} />
        <Field
          {...field('sessionTimeoutSecs')}
          label={t('payments:new.minutes')}
          hint={t('payments:new.minutesHint')}
          inputMode="numeric"
        />
        <Field {...field('successLink')} label={t('payments:new.successLink')} hint={t('payments:new.linkHint')} />
        <Field {...field('failLink')} label={t('payments:new.failLink')} hint={t('payments:new.linkHint')} />
      </details>
    </>
  );
}

function TerminalFields({ visit }: { visit: Visit }): VNode {
  const { t, word } = visit.texts;
  const field = fieldOf(visit);
  return (
    <>
      <Field {...field('idTerminal')} label={t('payments:new.idTerminal')} isRequired />
      <Field {...field('serialNumber')} label={t('payments:new.serialNumber')} isRequired />
      <Choice
        name="paymentMethod"
        label={t('payments:field.method')}
        value={visit.form.value('paymentMethod') || 'CARD'}
        options={METHODS.map((each) => [each, word('paymentMethod', each)] as const)}
      />
    </>
  );
}

function SharedFields({ visit }: { visit: Visit }): VNode {
  const { t } = visit.texts;
  const field = fieldOf(visit);
  return (
    <>
      <Field {...field('amountMillimes')} inputMode="decimal" label={t('payments:field.amountDinars')} isRequired />
      <Field {...field('reference')} label={t('common:field.reference')} hint={t('payments:new.referenceHint')} />
      <Field {...field('agentId')} label={t('payments:field.agent')} hint={t('payments:new.agentHint')} />
    </>
  );
}

/** Returns what the fields of the form share: what was typed, and why it was refused. */
function fieldOf({ form, problem }: Visit) {
  return (name: string) => ({
    ...{ name, value: form.value(name), fault: faultOf(problem, name), maxLength: MAX_CHARACTERS, isPlain: true },
  });
}
