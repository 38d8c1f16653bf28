import type { Page } from '../../page/page';
import { Panel } from '../../parts/table';
import { to } from '../../web/own-path';

/** The downloads of the whole ledger. */
export const EXPORTS_PAGE: Page = {
  path: '/exports',
  scope: 'reports:read',
  show({ texts: { t } }) {
    const files = [
      ['csv', t('morning:exports.csvName'), t('morning:exports.csv')],
      ['hledger', t('morning:exports.hledgerName'), t('morning:exports.hledger')],
    ] as const;
    const body = (
      <Panel title={t('morning:reports.files')}>
        <p>{t('morning:exports.what')}</p>
        <ul class="rows">
          {files.map(([format, name, what]) => (
            <li>
              <span>
                <strong>{name}</strong>
                <small>{what}</small>
              </span>
              <a
                class="button"
                href={to('/exports', 'ledger', format)}
                aria-label={`${t('common:action.download')} · ${name}`}
              >
                {t('common:action.download')}
              </a>
            </li>
          ))}
        </ul>
      </Panel>
    );
    return Promise.resolve({ title: t('morning:exports.title'), body });
  },
};
