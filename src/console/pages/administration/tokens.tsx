import type { VNode } from 'preact';
import type { Json } from '../../../api';
import { DAY_MS, parseInstant } from '../../../kernel';
import type { Visit } from '../../page/page';
import { Panel, Table } from '../../parts/table';
import { Id, Moment, Sign } from '../../parts/values';

type Token = Json<'listServiceTokens'>['data'][number];

/** The tokens that the gateway may present, and whether there are others that were not read. */
interface ActiveTokens {
  readonly tokens: readonly Token[];
  readonly hasMore: boolean;
}

const SOON_MS = 30 * DAY_MS;

/** Reads the active tokens of the newest 200, the one that expires first at the top. */
export async function readTokens({ call }: Visit): Promise<ActiveTokens> {
  const { data, hasMore } = await call('listServiceTokens', { query: { limit: '200' } });
  const active = data.filter(({ state }) => state === 'active');
  const tokens = active.sort((a, b) => ((a.expiresAt ?? '') < (b.expiresAt ?? '') ? -1 : 1));
  return { tokens, hasMore };
}

interface TokensProps {
  readonly visit: Visit;
  /** Undefined if the person may not list tokens. */
  readonly tokens: ActiveTokens | undefined;
  /** When the last active token expires. */
  readonly expiresAt: string | null;
}

/** The tokens with which the gateway calls, and when they expire. */
export function Tokens({ visit, tokens, expiresAt }: TokensProps): VNode {
  const { texts, now } = visit;
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
      {tokens === undefined || tokens.tokens.length === 0 ? null : (
        <Table
          caption={t('administration:tokens.title')}
          rows={tokens.tokens}
          empty={t('administration:tokens.none')}
          columns={[
            {
              label: t('administration:tokens.of'),
              isHead: true,
              cell: ({ subject, jti }) => (
                <>
                  <bdi>{subject}</bdi> <Id>{jti}</Id>
                </>
              ),
            },
            {
              label: t('administration:tokens.issued'),
              cell: ({ issuedAt }) => <Moment texts={texts} of={issuedAt} />,
            },
            {
              label: t('administration:tokens.expires'),
              cell: (token) =>
                token.expiresAt === null ? null : <Expiry texts={texts} now={now} of={token.expiresAt} />,
            },
          ]}
        />
      )}
      {tokens?.hasMore === true ? <p class="hint">{t('administration:tokens.more')}</p> : null}
    </Panel>
  );
}

function Expiry({ texts, now, of }: { texts: Visit['texts']; now: number; of: string }): VNode {
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
