import type { Scope } from '../../identity';
import type { TextKey } from '../../texts';
import { MENU_GROUPS, type Page } from '../page/page';
import type { MenuGroup } from '../parts/layout';
import { to } from '../web/own-path';
import { PAGES } from '.';

const LABELS = {
  daily: 'common:menuGroup.daily',
  money: 'common:menuGroup.money',
  bank: 'common:menuGroup.bank',
  system: 'common:menuGroup.system',
} as const satisfies Readonly<Record<(typeof MENU_GROUPS)[number], TextKey>>;

/** Returns the menu of a person: the pages that they may open. */
export function menuOf(scopes: ReadonlySet<Scope>): readonly MenuGroup[] {
  const mayOpen = ({ scope }: Page): boolean => scope === undefined || scopes.has(scope);
  return MENU_GROUPS.map((group) => ({
    label: LABELS[group],
    pages: PAGES.filter(mayOpen).flatMap(({ menu, path }) =>
      menu?.group === group ? [{ path: to(path), label: menu.label }] : [],
    ),
  })).filter(({ pages }) => pages.length > 0);
}
