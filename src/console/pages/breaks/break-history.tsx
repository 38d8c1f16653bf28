import type { VNode } from 'preact';
import type { Json } from '../../../api';
import type { Texts } from '../../../texts';
import type { Visit } from '../../page/page';
import { Panel } from '../../parts/table';
import { Fact, Facts, Moment, Said, Writer } from '../../parts/values';
import { to } from '../../web/own-path';
import { factLabel, factValue } from './fact-value';

export type ShownBreak = Json<'showBreak'>;
type Event = ShownBreak['history'][number];

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
              <Writer texts={texts} of={event.actor} />
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
      {Object.keys(others).map((name) => (
        <p>
          <small>
            {factLabel(texts, name)}
            {' : '}
            {factValue(texts, name, others)}
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
  const names = Object.keys(facts);
  if (names.length === 0) return null;
  return (
    <Panel title={texts.t('breaks:facts.title')}>
      <Facts>
        {names.map((name) => (
          <Fact name={factLabel(texts, name)}>{factValue(texts, name, facts)}</Fact>
        ))}
      </Facts>
    </Panel>
  );
}
