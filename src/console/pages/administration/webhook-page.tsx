import type { VNode } from 'preact';
import type { Json } from '../../../api';
import type { Page, Visit } from '../../page/page';
import { ActionForm } from '../../parts/forms';
import { LinkIf } from '../../parts/links';
import { ProblemBox } from '../../parts/problem-box';
import { Panel } from '../../parts/table';
import { Fact, Facts, Id, Moment, Sentence, Sign, State } from '../../parts/values';
import { to } from '../../web/own-path';
import { PROOF_TONES, STATE_TONES } from './webhook-tones';

type Webhook = Json<'showWebhook'>;

const PATH = '/webhooks';

/** A received webhook without its content, which may name the payer. */
export const WEBHOOK_PAGE: Page = {
  path: '/webhooks/:id',
  scope: 'webhooks:read',
  async show(visit) {
    const { texts, params, call } = visit;
    const webhook = await call('showWebhook', { params: { webhookId: params['id'] ?? '' } });
    const body = (
      <>
        <p class="cut-off">{texts.t('administration:asOf', { instant: texts.instant(visit.now) })}</p>
        <ProblemBox texts={texts} problem={visit.problem} />
        <About visit={visit} webhook={webhook} />
        <Processing visit={visit} webhook={webhook} />
        {visit.can('webhooks:replay') ? <Replay visit={visit} webhook={webhook} /> : null}
      </>
    );
    return { title: webhook.event, body };
  },
  actions: {
    replay: {
      scope: 'webhooks:replay',
      async run({ params: { id = '' }, form, call }) {
        await call('replayWebhook', { params: { webhookId: id }, idempotencyKey: form.value('once') });
        return { to: to(PATH, id), said: 'administration:said.replayed' };
      },
    },
  },
};

function About({ visit: { texts, can }, webhook }: { visit: Visit; webhook: Webhook }): VNode {
  const { t, word } = texts;
  const { paymentId, subscriptionId, trackingId, proof } = webhook;
  return (
    <Panel title={t('administration:webhooks.about')}>
      <Facts>
        <Fact name={t('administration:webhooks.family')}>{word('webhookFamily', webhook.family)}</Fact>
        <Fact name={t('administration:webhooks.signature')}>
          <State texts={texts} list="webhookProof" code={proof} tone={PROOF_TONES[proof]} />
        </Fact>
        <Fact name={t('administration:webhooks.signedAt')}>
          <Moment texts={texts} of={webhook.signedAt} />
        </Fact>
        <Fact name={t('administration:webhooks.receivedAt')}>
          <Moment texts={texts} of={webhook.receivedAt} />
        </Fact>
        {webhook.times === 1 ? null : (
          <Fact name={t('administration:webhooks.lastReceivedAt')}>
            <Moment texts={texts} of={webhook.lastReceivedAt} />
          </Fact>
        )}
        <Fact name={t('administration:webhooks.times')}>{texts.count(webhook.times)}</Fact>
        {paymentId === null ? null : (
          <Fact name={t('administration:webhooks.payment')}>
            <LinkIf may={can('payments:read')} href={to('/payments', paymentId)}>
              <Id>{paymentId}</Id>
            </LinkIf>
          </Fact>
        )}
        {subscriptionId === null ? null : (
          <Fact name={t('payments:field.subscription')}>
            <LinkIf may={can('payments:read')} href={to('/subscriptions', subscriptionId)}>
              <Id>{subscriptionId}</Id>
            </LinkIf>
          </Fact>
        )}
        {trackingId === null ? null : (
          <Fact name={t('administration:webhooks.trackingId')}>
            <Id>{trackingId}</Id>
          </Fact>
        )}
        <Fact name={t('common:field.id')}>
          <Id>{webhook.id}</Id>
        </Fact>
        <Fact name={t('administration:webhooks.bytes')}>{texts.count(webhook.contentBytes)}</Fact>
      </Facts>
      {webhook.conflicts === 0 ? null : (
        <p class="note">{t('administration:webhooks.conflictsOf', { count: webhook.conflicts })}</p>
      )}
    </Panel>
  );
}

function Processing({ visit: { texts }, webhook }: { visit: Visit; webhook: Webhook }): VNode {
  const { t, word } = texts;
  const { state, outcome, error, doneAt } = webhook;
  return (
    <Panel title={t('administration:webhooks.processing')}>
      <p class="line">
        <State texts={texts} list="webhookState" code={state} tone={STATE_TONES[state]} />
        {outcome === null ? null : <span>{word('webhookOutcome', outcome)}</span>}
      </p>
      <p>{t(`administration:webhooks.meaning.${state}`)}</p>
      <Facts>
        <Fact name={t('administration:webhooks.tries')}>{texts.count(webhook.tries)}</Fact>
        {doneAt === null ? (
          <Fact name={t('administration:webhooks.availableAt')}>
            <Moment texts={texts} of={webhook.availableAt} />
          </Fact>
        ) : (
          <Fact name={t('administration:webhooks.doneAt')}>
            <Moment texts={texts} of={doneAt} />
          </Fact>
        )}
        {error === null ? null : (
          <Fact name={t('administration:lastError')}>
            <Sign tone="bad">
              <Sentence texts={texts}>{error}</Sentence>
            </Sign>
          </Fact>
        )}
      </Facts>
    </Panel>
  );
}

function Replay({ visit, webhook: { state } }: { visit: Visit; webhook: Webhook }): VNode {
  const { t } = visit.texts;
  return (
    <Panel title={t('administration:webhooks.replay')}>
      <ActionForm visit={visit} action="replay">
        <p>{t(state === 'received' ? 'administration:webhooks.replaySoon' : 'administration:webhooks.replayEffect')}</p>
        <p class="actions">
          <button>{t('administration:webhooks.replay')}</button>
        </p>
      </ActionForm>
    </Panel>
  );
}
