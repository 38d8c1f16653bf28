import type { VNode } from 'preact';
import type { Visit } from '../../page/page';
import { to } from '../../web/own-path';

/** What stands in place of figures before a run derived any. */
export function Before({ visit: { texts, can } }: { visit: Visit }): VNode {
  const { t } = texts;
  return (
    <div class="empty">
      <p>
        <strong>{t('morning:first.title')}</strong>
      </p>
      <p>{t('morning:first.text')}</p>
      {can('reconciliation:read') ? (
        <p>
          <a href={to('/runs')}>{t('morning:first.runs')}</a>
        </p>
      ) : null}
    </div>
  );
}
