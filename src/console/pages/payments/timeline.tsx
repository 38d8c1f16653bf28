import type { ComponentChildren, VNode } from 'preact';
import type { Json } from '../../../api';
import type { Visit } from '../../page/page';
import { Pager, Panel } from '../../parts/table';
import { Moment, Sign, type Tone, Writer } from '../../parts/values';
import { withQuery } from '../../web/own-path';
import { factsOf } from './timeline-facts';

type Entries = Json<'listPaymentTimeline'>;
type Entry = Entries['data'][number];

/** What happened to a payment, the oldest entry first. Each entry links to the thing that states it. */
export function Timeline({ visit, entries, own }: { visit: Visit; entries: Entries; own: string }): VNode {
  const { texts, query } = visit;
  const { t } = texts;
  return (
    <Panel title={t('payments:timeline.title')}>
      {entries.data.length === 0 ? <p class="empty">{t('payments:timeline.none')}</p> : null}
      <ol class="timeline">
        {entries.data.map((entry) => (
          <li>
            <Moment texts={texts} of={entry.at} />
            <span>
              <Sign tone={toneOf(entry)}>{texts.word('timeline', entry.kind)}</Sign>
              <Facts facts={factsOf(visit, entry)} />
            </span>
            <By texts={texts} entry={entry} />
          </li>
        ))}
      </ol>
      <Pager
        texts={texts}
        hasMore={entries.hasMore}
        next={withQuery(own, { cursor: entries.nextCursor ?? '' })}
        first={query['cursor'] === undefined ? undefined : own}
      />
    </Panel>
  );
}

function Facts({ facts }: { facts: readonly ComponentChildren[] }): VNode {
  return (
    <span class="pieces">
      {facts.map((fact) => (
        <span>{fact}</span>
      ))}
    </span>
  );
}

function By({ texts, entry: { facts } }: { texts: Visit['texts']; entry: Entry }): VNode {
  return <small>{'by' in facts ? <Writer texts={texts} of={facts.by} /> : null}</small>;
}

const TONES: Readonly<Partial<Record<Entry['kind'], Tone>>> = {
  confirmed: 'good',
  paid: 'good',
  matched: 'good',
  break_resolved: 'good',
  day_closed: 'good',
  confirm_refused: 'bad',
  unmatched: 'warn',
  break_opened: 'warn',
  break_reopened: 'warn',
  day_reopened: 'warn',
};

function toneOf(entry: Entry): Tone {
  if (entry.kind === 'expected_at_bank') return entry.facts.late ? 'warn' : 'wait';
  return TONES[entry.kind] ?? 'plain';
}
