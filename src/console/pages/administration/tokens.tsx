import type { VNode } from 'preact';
import { DAY_MS, parseInstant } from '../../../kernel';
import type { Visit } from '../../page/page';
import { Panel } from '../../parts/table';
import { Moment, Sign } from '../../parts/values';
import { to } from '../../web/own-path';

const SOON_MS = 30 * DAY_MS;

interface TokensProps {
  readonly visit: Visit;
  /** When the last active token expires. */
  readonly expiresAt: string | null;
}

/** Until when the gateway can call. */
export function Tokens({ visit: { texts, now, can }, expiresAt }: TokensProps): VNode {
  const { t } = texts;
  return (
    <Panel title={t('administration:tokens.title')}>
      {expiresAt === null ? (
        <p>
          <Sign tone="warn">{t('administration:tokens.none')}</Sign>
        </p>
      ) : (
        <>
          <p>{t('administration:tokens.last')}</p>
          <Expiry texts={texts} now={now} of={expiresAt} />
        </>
      )}
      {can('tokens:manage') ? <AllTokens texts={texts} /> : null}
    </Panel>
  );
}

/** Whether the gateway needs another token soon, or has none. */
export function isTokenDue(expiresAt: string | null, now: number): boolean {
  return expiresAt === null || (parseInstant(expiresAt) ?? now) - now < SOON_MS;
}

export function AllTokens({ texts: { t } }: { texts: Visit['texts'] }): VNode {
  return (
    <p>
      <a href={to('/tokens')}>{t('administration:tokens.all')}</a>
    </p>
  );
}

export function Expiry({ texts, now, of }: { texts: Visit['texts']; now: number; of: string }): VNode {
  const left = (parseInstant(of) ?? now) - now;
  const duration = texts.duration(Math.abs(left));
  return (
    <span class="two-lines">
      <Sign tone={left <= 0 ? 'bad' : left < SOON_MS ? 'warn' : 'good'}>
        {texts.t(left <= 0 ? 'administration:tokens.expired' : 'administration:tokens.left', { duration })}
      </Sign>
      <Moment texts={texts} of={of} />
    </span>
  );
}
