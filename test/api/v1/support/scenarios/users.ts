import { OPERATOR } from '../../../../../src/identity';
import type { Api } from '../../../support/api';
import { audited, type Scenarios } from './scenario';

const params = { userName: 'amal' };
const because = { reason: 'moved to another team' };
const other = { params, body: { reason: 'another reason' } };
const NAMED = { name: 'amal', actor: OPERATOR, dryRun: false } as const;

async function create({ millime }: Api): Promise<string> {
  const { users } = millime.identity;
  const { code } = await users.create({ ...NAMED, fullName: 'Amal Ben Ali', roles: ['field'] });
  return code ?? '';
}

/** A decision about a user in the state that it changes. */
const decision =
  (action: string, prepare: (api: Api) => Promise<unknown> = create): Scenarios[string] =>
  async (api) => {
    await prepare(api);
    return { call: { params, body: because }, other, effect: () => audited(api, action) };
  };

/** A user who signed in. */
async function signIn(api: Api): Promise<void> {
  const { sessions } = api.millime.identity;
  const at = { name: 'amal', password: 'vélo-citron-fenêtre', address: '192.0.2.1' };
  await sessions.setFirstPassword({ ...at, code: await create(api) });
  const { outcome } = await sessions.signIn(at);
  if (outcome !== 'signed_in') throw new Error(`not signed in: ${outcome}`);
}

/** A user with a second factor, which the rows alone tell. */
async function createWithFactor(api: Api): Promise<void> {
  await create(api);
  await api.millime.database.transact((session) =>
    session('users').update({ totp_secret: 'JBSWY3DPEHPK3PXP', totp_step: 1 }),
  );
}

export const USER_SCENARIOS: Scenarios = {
  async listUsers(api) {
    await create(api);
    const rania = { ...NAMED, name: 'rania', fullName: 'Rania Zouari', roles: ['reader'] };
    await api.millime.identity.users.create(rania);
    return { call: {} };
  },
  async showUser(api) {
    await create(api);
    return { call: { params } };
  },
  async listUserSessions(api) {
    await signIn(api);
    return { call: { params } };
  },
  async createUser(api) {
    const body = { name: 'amal', fullName: 'Amal Ben Ali', roles: ['finance'], language: 'ar' };
    return {
      call: { body },
      other: { body: { ...body, roles: ['reader'] } },
      effect: () => audited(api, 'user.created'),
    };
  },
  async setUserRoles(api) {
    await create(api);
    return {
      call: { params, body: { roles: ['reader', 'operator'], ...because } },
      other: { params, body: { roles: ['finance'], ...because } },
      effect: () => audited(api, 'user.roles_changed'),
    };
  },
  disableUser: decision('user.disabled'),
  enableUser: decision('user.enabled', async (api) => {
    await create(api);
    await api.millime.identity.users.disable({ ...NAMED, reason: 'on leave' });
  }),
  resetUserPassword: decision('user.password_reset'),
  resetUserSecondFactor: decision('user.second_factor_reset', createWithFactor),
  endUserSessions: decision('user.sessions_ended', signIn),
};
