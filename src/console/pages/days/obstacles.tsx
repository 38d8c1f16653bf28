import type { VNode } from 'preact';
import type { Json } from '../../../api';
import type { TextKey, Texts } from '../../../texts';
import { Sign } from '../../parts/values';
import { to, withQuery } from '../../web/own-path';

export type Obstacle = Json<'showDay'>['obstacles'][number];

/** What hinders the closing of a day, each with the way to where it is removed. */
export function Obstacles({ texts, obstacles }: { texts: Texts; obstacles: readonly Obstacle[] }): VNode {
  if (obstacles.length === 0) {
    return (
      <p>
        <Sign tone="good">{texts.t('days:obstacles.none')}</Sign>
      </p>
    );
  }
  return (
    <ul class="checks">
      {obstacles.map((obstacle) => {
        const place = placeOf(obstacle);
        return (
          <li>
            <Sign tone="warn">
              <bdi>{texts.obstacle(obstacle) ?? obstacle.detail}</bdi>
            </Sign>{' '}
            {place === undefined ? null : <a href={place.href}>{texts.t(place.label)}</a>}
          </li>
        );
      })}
    </ul>
  );
}

interface Place {
  readonly href: string;
  readonly label: TextKey;
}

function placeOf({ code, params: { date, through, statementId } }: Obstacle): Place | undefined {
  switch (code) {
    case 'earlier_day_open':
      return date === undefined ? undefined : { href: to('/days', date), label: 'days:obstacles.toDay' };
    case 'not_reconciled':
    case 'run_unfinished':
    case 'lines_unread':
      return { href: withQuery(to('/runs'), { through }), label: 'days:obstacles.toRun' };
    case 'statement_waiting':
      return statementId === undefined
        ? undefined
        : { href: to('/bank/statements', statementId), label: 'days:obstacles.toStatement' };
    case 'more_statements_waiting':
      return { href: withQuery(to('/bank'), { waiting: 'true' }), label: 'days:obstacles.toStatements' };
    case 'no_statement':
    case 'statements_end':
      return { href: to('/bank/import'), label: 'days:obstacles.toImport' };
    case 'closed_through':
    case 'day_not_over':
      return undefined;
  }
}
