import type { VNode } from 'preact';
import type { Json } from '../../../api';
import type { Visit } from '../../page/page';
import { Panel } from '../../parts/table';
import { Fact, Facts, Moment, Sign } from '../../parts/values';

type Use = Json<'showGatewayBudget'>;

/** How many calls to the gateway are left in this minute, and which queues wait for it. */
export function Budget({ visit: { texts }, budget }: { visit: Visit; budget: Use | undefined }): VNode {
  const { t, word } = texts;
  const title = t('administration:budget.title');
  if (budget === undefined) {
    return (
      <Panel title={title}>
        <p class="empty">{t('administration:budget.off')}</p>
      </Panel>
    );
  }
  const { circuit, pausedQueues } = budget;
  return (
    <Panel title={title}>
      <p>
        {circuit.isOpen ? (
          <Sign tone="bad">
            {t('administration:budget.stopped', {
              cause: circuit.cause === null ? t('common:state.unknown') : word('circuitCause', circuit.cause),
            })}
          </Sign>
        ) : (
          <Sign tone="good">{t('administration:budget.open')}</Sign>
        )}{' '}
        {circuit.retryAt === null ? null : <Moment texts={texts} of={circuit.retryAt} />}
      </p>
      <Facts>
        <Calls texts={texts} name={t('administration:budget.verifies')} of={budget.verifies} />
        <Calls texts={texts} name={t('administration:budget.creations')} of={budget.subscriptionCreations} />
      </Facts>
      {pausedQueues.length === 0 ? null : (
        <ul class="stack">
          {pausedQueues.map(({ queue, unanswered, resumesAt }) => (
            <li>
              <Sign tone="warn">
                {t('administration:budget.paused', {
                  ...{ queue: word('queue', queue), unanswered, instant: texts.instant(resumesAt) },
                })}
              </Sign>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

interface CallsProps {
  readonly texts: Visit['texts'];
  readonly name: string;
  readonly of: Use['verifies'];
}

function Calls({ texts, name, of: { used, limit, freesAt } }: CallsProps): VNode {
  return (
    <Fact name={name}>
      <meter min={0} max={limit} value={used} aria-label={name} />{' '}
      {texts.t('administration:budget.used', { used, limit })}
      {freesAt === null || used < limit ? null : (
        <small>{texts.t('administration:budget.frees', { time: texts.time(freesAt) })}</small>
      )}
    </Fact>
  );
}
