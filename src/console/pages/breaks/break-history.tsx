import type { ComponentChildren, VNode } from 'preact';
import type { Json } from '../../../api';
import { factWord, type Texts } from '../../../texts';
import type { Visit } from '../../page/page';
import { Panel } from '../../parts/table';
import { Fact, Facts, Id, Moment, Money, Said } from '../../parts/values';
import { to } from '../../web/own-path';

export type ShownBreak = Json<'showBreak'>;
type Event = ShownBreak['history'][number];
type Value = Event['detail'][string];

/** What happened to a break, the latest first. */
export function History({ texts, events }: { texts: Texts; events: readonly Event[] }): VNode {
  return (
    <Panel title={texts.t('breaks:history.title')}>
      <ol class="history">
        {[...events].reverse().map((event) => (
          <li>
            <p class="line">
              <Moment texts={texts} of={event.at} />
              <strong>{texts.word('breakEvent', event.kind)}</strong>
              <bdi>{event.actor}</bdi>
            </p>
            <Detail texts={texts} detail={event.detail} />
          </li>
        ))}
      </ol>
    </Panel>
  );
}

function Detail({ texts, detail }: { texts: Texts; detail: Event['detail'] }): VNode | null {
  const { text, reason, assignee, proposal, ...others } = detail;
  const said = text ?? reason;
  return (
    <>
      {assignee === undefined ? null : <p>{texts.t('breaks:history.to', { assignee: String(assignee) })}</p>}
      {said === undefined ? null : (
        <p class="quote">
          <Said>{said}</Said>
        </p>
      )}
      {Object.entries(others).map(([name, value]) => (
        <p>
          <small>
            {labelOf(texts, name)}
            {' : '}
            {valueOf(texts, name, value)}
          </small>
        </p>
      ))}
      {proposal === undefined ? null : (
        <p>
          <a href={to('/proposals', String(proposal))}>{texts.t('breaks:history.proposal')}</a>
        </p>
      )}
    </>
  );
}

/** The facts that explain a break: ids, amounts, answers of the gateway. */
export function FactsPanel({ visit: { texts }, of: { facts } }: { visit: Visit; of: ShownBreak }): VNode | null {
  const entries = Object.entries(facts);
  if (entries.length === 0) return null;
  return (
    <Panel title={texts.t('breaks:facts.title')}>
      <Facts>
        {entries.map(([name, value]) => (
          <Fact name={labelOf(texts, name)}>{valueOf(texts, name, value)}</Fact>
        ))}
      </Facts>
    </Panel>
  );
}

/** Facts have the names that modules gave them; one without a label stays as it is. */
function labelOf(texts: Texts, name: string): string {
  return texts.find(`breaks:fact.${name}`) ?? name;
}

function valueOf(texts: Texts, name: string, value: Value): ComponentChildren {
  const text = String(value);
  if (name.endsWith('Millimes') && /^-?\d+$/.test(text)) {
    // The sign of the amount of a break depends on its finder.
    return <Money texts={texts} of={name === 'amountMillimes' ? text.replace('-', '') : text} />;
  }
  const label = factWord(texts, name, text);
  if (label !== undefined) return label;
  return /^[\w:./-]+$/.test(text) && text.length > 3 ? <Id>{text}</Id> : <Said>{text}</Said>;
}
