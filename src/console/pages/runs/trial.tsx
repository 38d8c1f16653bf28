import type { VNode } from 'preact';
import type { Json } from '../../../api';
import type { Visit } from '../../page/page';
import { ActionForm } from '../../parts/forms';
import { Panel, Table } from '../../parts/table';
import { Day, Fact, Facts, ItemId, Money, None } from '../../parts/values';
import { Working } from '../../parts/working';
import { to } from '../../web/own-path';
import { VerdictState } from './verdict-state';

type Result = Json<'runReconciliation'>;

/** More are found on the pages of credits and breaks after the run. */
const SHOWN_MAX = 100;

/** What a run would change, and the button that makes it. */
export function TrialPanel({ visit, trial }: { visit: Visit; trial: Result }): VNode {
  const { texts, form, here } = visit;
  const { t } = texts;
  const { difference } = trial;
  const count = (list: readonly unknown[] | undefined): string => texts.count(list?.length ?? 0);
  // Those of the table below: a run does not find what another module found, such as a refused call.
  const staying = trial.breaks.length - (difference?.breaks.new.length ?? 0);
  return (
    <Panel title={t('bank:trial.title', { date: texts.date(trial.through) })}>
      <p>{t('common:state.dryRun')}</p>
      <Facts>
        <Fact name={t('bank:runs.verdict')}>
          <VerdictState texts={texts} of={trial.verdict} />
        </Fact>
        <Fact name={t('bank:trial.matched')}>{count(difference?.newlyResolved)}</Fact>
        <Fact name={t('bank:trial.takenBack')}>{count(difference?.takenBack)}</Fact>
        <Fact name={t('bank:trial.newBreaks')}>{count(difference?.breaks.new)}</Fact>
        <Fact name={t('bank:trial.persisting')}>{texts.count(staying)}</Fact>
        <Fact name={t('bank:trial.resolved')}>{count(difference?.breaks.resolved)}</Fact>
        <Fact name={t('bank:runs.pending')}>
          <Money texts={texts} of={trial.pendingMillimes} />
        </Fact>
        <Fact name={t('bank:runs.matchedMoney')}>
          <Money texts={texts} of={trial.matchedMillimes} />
        </Fact>
      </Facts>
      <Credits visit={visit} trial={trial} />
      <Breaks visit={visit} breaks={trial.breaks} />
      <ActionForm visit={visit} action="run">
        <input type="hidden" name="through" value={form.value('through')} />
        <Working texts={texts} />
        <p class="actions">
          <button class="main">{t('bank:runs.run')}</button>
          <a href={here}>{t('common:action.discard')}</a>
        </p>
      </ActionForm>
    </Panel>
  );
}

function Credits({ visit: { texts }, trial }: { visit: Visit; trial: Result }): VNode | null {
  const { t } = texts;
  const fresh = new Set(trial.difference?.newlyResolved ?? []);
  const credits = trial.credits.filter(({ line_id: id, outcome }) => fresh.has(id) || outcome !== 'resolved');
  if (credits.length === 0) return null;
  return (
    <Table
      caption={t('bank:trial.credits')}
      isCaptionShown
      rows={credits.slice(0, SHOWN_MAX)}
      empty={<None />}
      columns={[
        {
          label: texts.word('book', 'credit'),
          isHead: true,
          cell: ({ line_id: id }) => (
            <a href={to('/credits', id)}>
              <ItemId of={id} />
            </a>
          ),
        },
        { label: t('common:field.state'), cell: ({ outcome }) => texts.word('creditAnswer', outcome) },
        { label: t('bank:trial.items'), isNumber: true, cell: ({ item_ids: ids }) => texts.count(ids.length) },
        {
          label: texts.word('book', 'gross'),
          isNumber: true,
          cell: ({ gross_millimes: gross }) => <Money texts={texts} of={gross} />,
        },
        {
          label: t('bank:trial.evidence'),
          cell: ({ evidence }) => (evidence === null ? <None /> : texts.word('evidence', evidence)),
        },
      ]}
    />
  );
}

function Breaks({ visit: { texts }, breaks }: { visit: Visit; breaks: Result['breaks'] }): VNode | null {
  const { t } = texts;
  if (breaks.length === 0) return null;
  return (
    <Table
      caption={t('bank:trial.breaks')}
      isCaptionShown
      rows={breaks.slice(0, SHOWN_MAX)}
      empty={<None />}
      columns={[
        {
          label: t('bank:trial.class'),
          isHead: true,
          cell: ({ class: breakClass }) => texts.word('breakClass', breakClass),
        },
        { label: t('bank:trial.since'), cell: ({ since }) => <Day texts={texts} of={since} /> },
        {
          label: t('common:field.amount'),
          isNumber: true,
          cell: ({ amount_millimes: amount }) => (amount === null ? <None /> : <Money texts={texts} of={amount} />),
        },
      ]}
    />
  );
}
