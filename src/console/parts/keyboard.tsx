import type { VNode } from 'preact';
import type { Texts } from '../../texts';
import { Fact, Facts } from './values';

const KEYS = [
  ['/', 'common:keyboard.search'],
  ['j', 'common:keyboard.nextRow'],
  ['k', 'common:keyboard.previousRow'],
  ['Enter', 'common:keyboard.openRow'],
  ['x', 'common:keyboard.chooseRow'],
  ['?', 'common:keyboard.title'],
] as const;
const PLACES = [
  ['g m', 'common:menu.morning'],
  ['g a', 'common:menu.lookUp'],
  ['g c', 'common:menu.credits'],
  ['g b', 'common:menu.breaks'],
  ['g p', 'common:menu.approvals'],
  ['g d', 'common:menu.days'],
] as const;

/** The keys of the script of the console. */
export function KeyList({ texts: { t } }: { texts: Texts }): VNode {
  const key = (keys: string, what: string): VNode => <Fact name={<kbd dir="ltr">{keys}</kbd>}>{what}</Fact>;
  return (
    <Facts>
      {KEYS.map(([keys, label]) => key(keys, t(label)))}
      {PLACES.map(([keys, label]) => key(keys, t('common:keyboard.goTo', { page: t(label) })))}
    </Facts>
  );
}

/** The keys above the page, so that reading them loses no choice. The script opens the dialog. */
export function KeyDialog({ texts }: { texts: Texts }): VNode {
  const { t } = texts;
  return (
    <dialog data-key-list aria-labelledby="key-list">
      <h2 id="key-list">{t('common:keyboard.title')}</h2>
      <KeyList texts={texts} />
      <form method="dialog">
        <button>{t('common:action.close')}</button>
      </form>
    </dialog>
  );
}
