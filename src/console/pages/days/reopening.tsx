import type { VNode } from 'preact';
import type { Json } from '../../../api';
import type { Visit } from '../../page/page';
import { ActionForm } from '../../parts/forms';
import { ReasonField } from '../../parts/reason-field';
import { Panel } from '../../parts/table';
import { Said } from '../../parts/values';

type Seal = NonNullable<Json<'showDay'>['seal']>;

/** Opens a closed day again: one person proposes it, another one approves it. */
export function ReopeningPanel({ visit, seal }: { visit: Visit; seal: Seal }): VNode {
  const { t } = visit.texts;
  const { reopeningProposed } = seal;
  return (
    <Panel title={t('days:reopen.title')} class="decides">
      <p>{t('days:reopen.effect', { seal: seal.number })}</p>
      {reopeningProposed === null ? <Propose visit={visit} /> : <Approve visit={visit} proposal={reopeningProposed} />}
    </Panel>
  );
}

function Propose({ visit }: { visit: Visit }): VNode {
  const { texts } = visit;
  const { t } = texts;
  if (!visit.can('days:reopen')) return <p class="note">{t('days:reopen.byOthers')}</p>;
  return (
    <ActionForm visit={visit} action="propose" class="narrow">
      <ReasonField visit={visit} />
      <p class="actions">
        <button>{t('days:reopen.propose')}</button>
      </p>
    </ActionForm>
  );
}

function Approve({
  visit,
  proposal: { by, at, reason },
}: {
  visit: Visit;
  proposal: NonNullable<Seal['reopeningProposed']>;
}): VNode {
  const { texts, session } = visit;
  const { t } = texts;
  const isOwn = session.user.name === by;
  return (
    <>
      <p>
        {t('days:reopen.proposed', { who: by, when: texts.instant(at) })} <Said>{reason}</Said>
      </p>
      {isOwn || !visit.can('days:reopen') ? (
        <p class="note">{t(isOwn ? 'days:reopen.own' : 'days:reopen.byOthers')}</p>
      ) : (
        <ActionForm visit={visit} action="approve">
          <p class="actions">
            <button class="danger">{t('days:reopen.approve')}</button>
          </p>
        </ActionForm>
      )}
    </>
  );
}
