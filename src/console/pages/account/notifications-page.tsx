import type { VNode } from 'preact';
import type { Json } from '../../../api';
import { LANGUAGES } from '../../../identity';
import { NOTIFICATION_KINDS, NOTIFICATION_WAYS, SCOPE_OF_KIND } from '../../../notifications';
import type { Texts } from '../../../texts';
import { OutcomeRefused } from '../../page/outcome-refused';
import type { Done, Page, Shown, Visit } from '../../page/page';
import { requiredText } from '../../page/required-text';
import { Boxes } from '../../parts/boxes';
import { ActionForm, Choice, Field } from '../../parts/forms';
import { faultOf, ProblemBox } from '../../parts/problem-box';
import { ShownOnce } from '../../parts/shown-once';
import { type Column, Panel, Table } from '../../parts/table';
import { Moment, Said, State } from '../../parts/values';
import { to } from '../../web/own-path';

type List = Json<'listNotificationRecipients'>;
type Recipient = List['recipients'][number];
type Message = List['messages'][number];

const PATH = '/me/notifications';
const TONES = { waiting: 'wait', sent: 'good', failed: 'bad', dropped: 'plain' } as const;

/** Where a person is notified of breaks, failed jobs and expiring tokens, and what became of the messages. */
export const NOTIFICATIONS_PAGE: Page = {
  path: PATH,
  scope: undefined,
  async show(visit) {
    const { t } = visit.texts;
    const list = await visit.call('listNotificationRecipients');
    const body = (
      <>
        <p>{t('notifications:lead')}</p>
        <ProblemBox texts={visit.texts} problem={visit.problem} />
        <Table
          caption={t('notifications:title')}
          rows={list.recipients}
          empty={t('notifications:none')}
          columns={recipientColumns(visit)}
        />
        <AddPanel visit={visit} />
        <Panel title={t('notifications:messages')}>
          <Table
            caption={t('notifications:messages')}
            rows={list.messages}
            empty={t('notifications:noMessages')}
            columns={messageColumns(visit.texts, list.recipients)}
          />
        </Panel>
      </>
    );
    return { title: t('notifications:title'), body, isWide: true };
  },
  actions: {
    add: { needsProof: true, run: add },
    remove: {
      async run({ form, call }) {
        await call('removeNotificationRecipient', { params: { recipientId: form.value('recipientId') } });
        return { to: to(PATH), said: 'notifications:said.removed' };
      },
    },
    test: {
      async run({ form, call }) {
        const params = { recipientId: form.value('recipientId') };
        await call('testNotificationRecipient', { params, idempotencyKey: form.value('once') });
        return { to: to(PATH), said: 'notifications:said.tested' };
      },
    },
  },
};

async function add(visit: Visit): Promise<Done | Shown> {
  const { form, call, texts } = visit;
  const { t } = texts;
  const address = requiredText(visit, 'address');
  const kinds = NOTIFICATION_KINDS.filter((kind) => form.values('kinds').includes(kind));
  if (kinds.length === 0) throw new OutcomeRefused('kinds', t('notifications:kindsHint'));
  const way = NOTIFICATION_WAYS.find((each) => each === form.value('way')) ?? 'email';
  const language = LANGUAGES.find((each) => each === form.value('language')) ?? texts.language;
  const body = { way, address, kinds, language };
  const { secret } = await call('addNotificationRecipient', { body, idempotencyKey: form.value('once') });
  if (secret === null) return { to: to(PATH), said: 'notifications:said.added' };
  const shown = (
    <>
      <ShownOnce warning={t('notifications:secretOnce')} secret={secret}>
        <p>{t('notifications:secretUse')}</p>
      </ShownOnce>
      <p>
        <a class="button" href={to(PATH)}>
          {t('notifications:back')}
        </a>
      </p>
    </>
  );
  return { title: t('notifications:added'), body: shown };
}

function recipientColumns(visit: Visit): readonly Column<Recipient>[] {
  const { texts } = visit;
  const { t, word } = texts;
  return [
    { label: t('notifications:address'), isHead: true, cell: ({ address }) => <Said>{address}</Said> },
    { label: t('notifications:way'), cell: ({ way }) => word('notificationWay', way) },
    {
      label: t('notifications:kinds'),
      cell: ({ kinds }) => texts.list(kinds.map((kind) => word('notificationKind', kind))),
    },
    { label: t('notifications:language'), cell: ({ language }) => word('language', language) },
    {
      label: t('notifications:steps'),
      cell: ({ id, address }) => (
        <>
          <ActionForm visit={visit} action="test" label={t('notifications:testNamed', { address })}>
            <input type="hidden" name="recipientId" value={id} />
            <button aria-label={t('notifications:testNamed', { address })}>{t('notifications:test')}</button>
          </ActionForm>
          <ActionForm visit={visit} action="remove" label={t('notifications:removeNamed', { address })}>
            <input type="hidden" name="recipientId" value={id} />
            <button class="danger" aria-label={t('notifications:removeNamed', { address })}>
              {t('notifications:remove')}
            </button>
          </ActionForm>
        </>
      ),
    },
  ];
}

function messageColumns(texts: Texts, recipients: readonly Recipient[]): readonly Column<Message>[] {
  const { t, word } = texts;
  const addressOf = (id: string): string => recipients.find((each) => each.id === id)?.address ?? '';
  return [
    { label: t('notifications:createdAt'), isHead: true, cell: (of) => <Moment texts={texts} of={of.createdAt} /> },
    { label: t('notifications:event'), cell: ({ kind }) => word('notificationKind', kind) },
    { label: t('notifications:address'), cell: ({ recipientId }) => <Said>{addressOf(recipientId)}</Said> },
    {
      label: t('common:field.state'),
      cell: ({ state, nextTryAt, tries }) => (
        <>
          <State texts={texts} list="messageState" code={state} tone={TONES[state]} />{' '}
          {nextTryAt === null || tries === 0 ? null : (
            <small>{t('notifications:nextTry', { instant: texts.instant(nextTryAt) })}</small>
          )}
        </>
      ),
    },
    { label: t('notifications:tries'), isNumber: true, cell: ({ tries }) => texts.count(tries) },
    { label: t('notifications:error'), cell: (message) => errorText(message, texts) },
  ];
}

function errorText({ error, answer }: Message, { t, word }: Texts): string {
  if (error === null) return '';
  const text = word('messageError', error);
  return answer === null ? text : t('notifications:errorWithAnswer', { error: text, answer: String(answer) });
}

function AddPanel({ visit }: { visit: Visit }): VNode {
  const { texts, form, problem, can } = visit;
  const { t, word } = texts;
  const kinds = NOTIFICATION_KINDS.filter((kind) => can(SCOPE_OF_KIND[kind]));
  if (kinds.length === 0) return <p>{t('notifications:noRight')}</p>;
  return (
    <Panel title={t('notifications:add')}>
      <ActionForm visit={visit} action="add">
        <Choice
          name="way"
          label={t('notifications:way')}
          value={form.value('way')}
          options={NOTIFICATION_WAYS.map((way) => [way, word('notificationWay', way)] as const)}
        />
        <Field
          name="address"
          label={t('notifications:address')}
          hint={t('notifications:addressHint')}
          value={form.value('address')}
          fault={faultOf(problem, 'address')}
          maxLength={500}
          isRequired
          isPlain
        />
        <Boxes
          name="kinds"
          label={t('notifications:kinds')}
          options={kinds.map((value) => ({ value, label: word('notificationKind', value) }))}
          chosen={form.values('kinds')}
          fault={faultOf(problem, 'kinds')}
        />
        <Choice
          name="language"
          label={t('notifications:language')}
          value={form.value('language') === '' ? texts.language : form.value('language')}
          options={LANGUAGES.map((each) => [each, word('language', each)] as const)}
        />
        <p class="actions">
          <button class="main">{t('notifications:add')}</button>
        </p>
      </ActionForm>
    </Panel>
  );
}
