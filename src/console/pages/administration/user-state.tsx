import type { VNode } from 'preact';
import type { Json } from '../../../api';
import { needsSecondFactor, type Role, scopesOfRoles } from '../../../identity';
import type { Texts } from '../../../texts';
import { Sign, State } from '../../parts/values';

type User = Json<'showUser'>;

const TONES = { invited: 'wait', active: 'good', disabled: 'bad' } as const;

export function UserState({ texts, state }: { texts: Texts; state: User['state'] }): VNode {
  return <State texts={texts} list="userState" code={state} tone={TONES[state]} />;
}

/** Whether a user has a second factor, and whether their roles need one. */
export function SecondFactor({ texts, user }: { texts: Texts; user: Pick<User, 'roles' | 'hasSecondFactor'> }): VNode {
  const { t } = texts;
  if (user.hasSecondFactor) return <Sign tone="good">{t('common:state.yes')}</Sign>;
  if (needsSecondFactor(user.roles)) return <Sign tone="wait">{t('administration:users.factorNeeded')}</Sign>;
  return <Sign tone="plain">{t('common:state.no')}</Sign>;
}

/** The roles as boxes, each with what it lets a person do. */
export function roleOptions(
  texts: Texts,
  roles: readonly Role[],
): readonly { readonly value: Role; readonly label: string; readonly hint: string }[] {
  return roles.map((value) => ({
    value,
    label: texts.word('role', value),
    hint: texts.list([...scopesOfRoles([value])].map((scope) => texts.word('scope', scope))),
  }));
}
