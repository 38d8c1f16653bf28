import { randomBytes } from 'node:crypto';
import type { Millime } from '../../../src/compose';
import { createPerson, nextCode } from '../../../src/demo';
import type { Actor, Role } from '../../../src/identity';

/** A person who signed in. */
export interface Visitor {
  readonly name: string;
  readonly actor: Actor;
  /** Returns the content of a page. @throws Error for another status than 200. */
  get(address: string): Promise<string>;
}

/** Creates a user of a role and signs them in. */
export async function signIn({ identity, clock }: Millime, baseUrl: string, role: Role): Promise<Visitor> {
  const name = `bench-${role}-${randomBytes(4).toString('hex')}`;
  const { password, secret } = await createPerson(identity, clock, role, [name, `Bench ${role}`]);
  const secondFactor = secret === undefined ? undefined : await nextCode(secret, clock.now());
  const signedIn = await identity.sessions.signIn({ name, password, secondFactor, address: '127.0.0.1' });
  if (signedIn.outcome !== 'signed_in') throw new Error(`${name} was not signed in: ${signedIn.outcome}`);
  const headers = { Cookie: `millime-session=${signedIn.token}`, Connection: 'close' };
  return {
    ...{ name, actor: signedIn.session.actor },
    async get(address) {
      const answer = await fetch(`${baseUrl}/console${address}`, { headers, redirect: 'manual' });
      const content = await answer.text();
      if (answer.status !== 200) throw new Error(`${address}: ${answer.status} ${content.slice(0, 2_000)}`);
      return content;
    },
  };
}
