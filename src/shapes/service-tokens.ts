import { z } from 'zod';
import type { FreshToken, KeyAlgorithm, ListedToken, MintPlan, Rotation } from '../service-tokens';
import { instantJson, instantValue } from './values';

/** Written out, because the room loads libraries that most users of shapes do not need (ADR 23). */
export const keyAlgorithm = z.enum(['HS256', 'EdDSA', 'ES256', 'RS256'] satisfies KeyAlgorithm[]);

const jtiValue = z.string().meta({ description: 'The jti of the token.' });

/** A token that the gateway presents, without the token itself. */
export const listedToken = z
  .strictObject({
    jti: jtiValue,
    state: z.enum(['active', 'expired', 'revoked']),
    subject: z.string().nullable().meta({ description: 'Null for a revoked token of another issuer.' }),
    kid: z.string().nullable(),
    issuedAt: instantValue.nullable(),
    expiresAt: instantValue.nullable(),
    revokedAt: instantValue.nullable(),
  })
  .meta({ id: 'ServiceToken' });

/** Returns a token of a list as JSON. */
export function listedTokenJson({ jti, state, revokedAt, minted }: ListedToken): z.input<typeof listedToken> {
  return {
    jti,
    state,
    subject: minted?.subject ?? null,
    kid: minted?.kid ?? null,
    issuedAt: instantJson(minted?.issuedAt),
    expiresAt: instantJson(minted?.expiresAt),
    revokedAt: instantJson(revokedAt),
  };
}

/** A new token. */
export const freshToken = z
  .strictObject({
    token: z.string().nullable().meta({ description: 'The only copy of the token; null in a dry run.' }),
    jti: jtiValue.nullable(),
    kid: z.string().nullable().meta({ description: 'Null in a dry run that would also create the first key.' }),
    expiresAt: instantValue,
  })
  .meta({ id: 'NewServiceToken' });

/** Returns a new token, or the one that a dry run would mint, as JSON. */
export function freshTokenJson(made: FreshToken | MintPlan): z.input<typeof freshToken> {
  const { token, jti } = 'token' in made ? made : { token: null, jti: null };
  return { token, jti, kid: made.kid ?? null, expiresAt: instantJson(made.expiresAt) };
}

/** A rotation of the signing keys. */
export const rotation = z
  .strictObject({
    kid: z.string().nullable().meta({ description: 'The new key; null in a dry run.' }),
    alg: keyAlgorithm,
    verifyOnly: z.array(z.string()).meta({ description: 'The keys that only verify from now on.' }),
    retired: z.array(z.string()).meta({ description: 'The removed keys.' }),
    dryRun: z.boolean(),
  })
  .meta({ id: 'KeyRotation' });

/** Returns a rotation as JSON. */
export function rotationJson(made: Rotation, dryRun: boolean): z.input<typeof rotation> {
  return { ...made, kid: made.kid ?? null, verifyOnly: [...made.verifyOnly], retired: [...made.retired], dryRun };
}
